internal import Promise

// What the controls of a screen edit.
extension ScopedSystem {
    /// A part of the state, to be edited by a control: what that writes is sent as an event.
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
    ///   - part: What is shown; it is observed by itself.
    ///   - event: The event for what was written; called, and sent, right where it is written.
    public func binding<Part: Equatable & Sendable>(
        _ part: any KeyPath<State, Part> & Sendable, _ event: @escaping @Sendable (Part) -> Event,
        file: StaticString = #fileID, line: UInt = #line
    ) -> EventBinding<Part> {
        settled.binding(part) { [send] value in send(event(value), Origin(file, line)) }
    }

    /// What there is, for a sheet that is shown for as long as it is there.
    ///
    /// - Parameters:
    ///   - part: What is shown; nil for nothing. It is observed by itself.
    ///   - event: Sent when nil is written while there is something. Nothing else that is written does anything, as
    ///     only the reducer can make something be there.
    public func item<Wrapped: Equatable & Sendable>(
        _ part: any KeyPath<State, Wrapped?> & Sendable, dismiss event: Event,
        file: StaticString = #fileID, line: UInt = #line
    ) -> EventBinding<Wrapped?> {
        settled.binding(part) { [send, settled] item in
            if item == nil, settled.read()[keyPath: part] != nil { send(event, Origin(file, line)) }
        }
    }
}
