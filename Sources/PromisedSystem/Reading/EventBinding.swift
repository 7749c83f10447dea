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
    private let owner: (any InPlaceOwner)?

    /// - Parameters:
    ///   - read: Returns the present value.
    ///   - send: Called with a new value, synchronously on the thread that sets it.
    public init(read: @escaping @Sendable () -> Value, send: @escaping @Sendable (Value) -> Void) {
        self.init(read: read, send: send, owner: nil)
    }

    /// - Parameter owner: Makes a change in place one step; nil if it is not, as an event takes effect later.
    package init(
        read: @escaping @Sendable () -> Value, send: @escaping @Sendable (Value) -> Void,
        owner: (any InPlaceOwner)?
    ) {
        (self.read, self.send, self.owner) = (read, send, owner)
    }

    /// The present value. Setting it sends an event.
    ///
    /// `value += 1` sends the sum of the value that is present and one: if others set it meanwhile, send an event that
    /// adds. A change in place that throws sends nothing.
    public var value: Value {
        get { read() }
        nonmutating set { send(newValue) }
        nonmutating _modify {
            let isOutermost = owner?.beginChange() ?? false
            defer { if isOutermost { owner?.endChange() } }
            var changed = read()
            yield &changed
            owner?.willSetChanged()
            send(changed)
        }
    }
}

/// Makes a change in place of what it owns one step.
package protocol InPlaceOwner: Sendable {
    /// Keeps other writers out.
    ///
    /// - Returns: Whether ``endChange()`` has to be called: false if the caller keeps them out already.
    func beginChange() -> Bool
    /// Called before the changed value is set, unless the change has failed.
    func willSetChanged()
    func endChange()
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
