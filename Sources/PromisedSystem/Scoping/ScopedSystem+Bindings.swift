internal import Promise

// Bindings for the controls of a screen.
extension ScopedSystem {
    /// A binding of a control to a part of the state; writing to it sends an event.
    ///
    /// ```swift
    /// struct Form { var name = "" }
    /// enum Event { case named(String) }
    ///
    /// let form = ScopedSystem<Form, Event>.mock(Form()) { form, event in
    ///     if case .named(let name) = event { form.name = name }
    /// }
    /// let name = form.binding(\.name, Event.named)
    /// name.value = "Ada"
    /// print(form.state.name)
    /// ```
    ///
    /// - Parameters:
    ///   - part: The part to show; only changes of this part are observed.
    ///   - event: Returns the event for a written value. It is called, and the event is sent, synchronously in the
    ///     write.
    public func binding<Part: Equatable & Sendable>(
        _ part: any KeyPath<State, Part> & Sendable, _ event: @escaping @Sendable (Part) -> Event,
        file: StaticString = #fileID, line: UInt = #line
    ) -> EventBinding<Part> {
        settled.binding(part) { [send] value in send(event(value), Origin(file, line), nil) }
    }

    /// A binding of a sheet to an optional part of the state: the sheet is shown while the part is not nil.
    ///
    /// - Parameters:
    ///   - part: The item to show, or nil for none; only changes of this part are observed.
    ///   - event: Sent when nil is written while the part is not nil. All other writes are ignored, because only the
    ///     reducer can set the part.
    public func item<Wrapped: Equatable & Sendable>(
        _ part: any KeyPath<State, Wrapped?> & Sendable, dismiss event: Event,
        file: StaticString = #fileID, line: UInt = #line
    ) -> EventBinding<Wrapped?> {
        settled.binding(part) { [send, settled] item in
            if item == nil, settled.read()[keyPath: part] != nil { send(event, Origin(file, line), nil) }
        }
    }
}
