/// A value to be shown and edited whose edits become events.
///
/// It reads a source. Writing changes nothing by itself: it sends what was written, and the value is another one
/// when the owner has made it so.
///
/// ```swift
/// let form = System<String, String>(initialState: "", scheduler: .immediate) { _, text in .value(text) }
/// let name = form.settled.binding { form.sendEvent($0) }
/// name.value = "Ada"
/// print(form.state)
/// ```
public struct EventBinding<Value: Sendable>: Sendable {
    private let read: @Sendable () -> Value
    private let send: @Sendable (Value) -> Void

    /// - Parameters:
    ///   - read: The value now.
    ///   - send: Called with what is written, right where it is.
    public init(read: @escaping @Sendable () -> Value, send: @escaping @Sendable (Value) -> Void) {
        self.read = read
        self.send = send
    }

    /// The value now; written, it is sent.
    public var value: Value {
        get { read() }
        nonmutating set { send(newValue) }
    }
}

extension Source {
    /// The value, to be edited.
    ///
    /// - Parameter send: Called with what is written, right where it is: sends an event.
    public func binding(_ send: @escaping @Sendable (Value) -> Void) -> EventBinding<Value> {
        EventBinding(read: { value }, send: send)
    }

    /// A part of the value, to be edited; it is observed by itself.
    ///
    /// - Parameters:
    ///   - part: What is shown.
    ///   - send: Called with what is written, right where it is: sends an event.
    public func binding<Part: Equatable & Sendable>(
        _ part: any KeyPath<Value, Part> & Sendable, _ send: @escaping @Sendable (Part) -> Void
    ) -> EventBinding<Part> {
        EventBinding(read: { self[dynamicMember: part] }, send: send)
    }

    /// Whether there is something, for what shows it as long as there is.
    ///
    /// - Parameter dismiss: Called when false is written while there is something: sends an event. Nothing else that
    ///   is written does anything, as only the owner can make something be there.
    public func presence<Wrapped>(
        dismiss: @escaping @Sendable () -> Void
    ) -> EventBinding<Bool> where Value == Wrapped? {
        EventBinding(read: { value != nil }) { isPresent in
            if !isPresent, read() != nil { dismiss() }
        }
    }

    /// What there is, for what shows it as long as it is there.
    ///
    /// - Parameter dismiss: Called when nil is written while there is something: sends an event. Nothing else that
    ///   is written does anything, as only the owner can make something be there.
    public func item<Wrapped>(
        dismiss: @escaping @Sendable () -> Void
    ) -> EventBinding<Wrapped?> where Value == Wrapped? {
        EventBinding(read: { value }) { item in
            if item == nil, read() != nil { dismiss() }
        }
    }
}
