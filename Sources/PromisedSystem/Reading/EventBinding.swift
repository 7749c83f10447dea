/// A two-way binding that reads a source and sends an event when it is set.
///
/// Setting it does not change the value: it sends an event, and the value changes only when the owner's reducer changes
/// it.
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
    ///   - read: Returns the present value.
    ///   - send: Called with a new value, synchronously on the thread that sets it.
    public init(read: @escaping @Sendable () -> Value, send: @escaping @Sendable (Value) -> Void) {
        self.read = read
        self.send = send
    }

    /// The present value. Setting it sends an event.
    public var value: Value {
        get { read() }
        nonmutating set { send(newValue) }
    }
}

extension Source {
    /// Creates a binding to the value.
    ///
    /// - Parameter send: Called with a new value, synchronously on the thread that sets it; sends an event.
    public func binding(_ send: @escaping @Sendable (Value) -> Void) -> EventBinding<Value> {
        EventBinding(read: { value }, send: send)
    }

    /// Creates a binding to a property of the value. Reading it under observation tracks that property alone.
    ///
    /// - Parameters:
    ///   - part: The property to read.
    ///   - send: Called with a new value, synchronously on the thread that sets it; sends an event.
    public func binding<Part: Equatable & Sendable>(
        _ part: any KeyPath<Value, Part> & Sendable, _ send: @escaping @Sendable (Part) -> Void
    ) -> EventBinding<Part> {
        EventBinding(read: { self[dynamicMember: part] }, send: send)
    }

    /// Creates a binding that is true while the value is not nil, to present a sheet or an alert.
    ///
    /// - Parameter dismiss: Called when it is set to false while the value is not nil; sends an event. Setting it is
    ///   otherwise a no-op, as only the owner can make the value non-nil.
    public func presence<Wrapped>(
        dismiss: @escaping @Sendable () -> Void
    ) -> EventBinding<Bool> where Value == Wrapped? {
        EventBinding(read: { value != nil }) { isPresent in
            if !isPresent, read() != nil { dismiss() }
        }
    }

    /// Creates a binding to the optional value, to present it for as long as it is not nil.
    ///
    /// - Parameter dismiss: Called when it is set to nil while the value is not nil; sends an event. Setting it is
    ///   otherwise a no-op, as only the owner can make the value non-nil.
    public func item<Wrapped>(
        dismiss: @escaping @Sendable () -> Void
    ) -> EventBinding<Wrapped?> where Value == Wrapped? {
        EventBinding(read: { value }) { item in
            if item == nil, read() != nil { dismiss() }
        }
    }
}
