extension EventBinding {
    /// A binding that is true while the value is not nil, to present an alert or a dialog. Setting it to false sets the
    /// value to nil, unless it is nil already; setting it to true is a no-op.
    ///
    /// ```swift
    /// struct Form { var message: String? = "Saved" }
    /// enum Event { case dismissed }
    ///
    /// let form = ScopedSystem<Form, Event>.mock(Form()) { form, _ in form.message = nil }
    /// form.item(\.message, dismiss: .dismissed).presence().value = false
    /// print(form.state.message ?? "none")
    /// ```
    public func presence<Wrapped>() -> EventBinding<Bool> where Value == Wrapped? {
        EventBinding<Bool>(read: { value != nil }) { isPresent in
            if !isPresent, value != nil { value = nil }
        }
    }
}
