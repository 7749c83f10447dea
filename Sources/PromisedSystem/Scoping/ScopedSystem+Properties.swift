// A part that is a property, without a scope.
extension ScopedSystem {
    /// A property, and what may happen in it.
    ///
    /// - Parameters:
    ///   - path: Where the part is.
    ///   - event: The event of the whole that says what happened in the part.
    public func scoped<Part: Sendable, PartEvent: Sendable>(
        to path: any KeyPath<State, Part> & Sendable, event: @escaping @Sendable (PartEvent) -> Event
    ) -> ScopedSystem<Part, PartEvent> {
        scoped(by: .reading(path, sending: event))
    }

    /// A property, and what may happen in it; its readers are notified when it has become unequal.
    ///
    /// - Parameters:
    ///   - path: Where the part is.
    ///   - event: The event of the whole that says what happened in the part.
    public func scoped<Part: Equatable & Sendable, PartEvent: Sendable>(
        to path: any KeyPath<State, Part> & Sendable, event: @escaping @Sendable (PartEvent) -> Event
    ) -> ScopedSystem<Part, PartEvent> {
        scoped(by: .reading(path, sending: event))
    }

    /// A property, for those who must not send.
    ///
    /// - Parameter path: Where the part is.
    public func scoped<Part: Sendable>(
        to path: any KeyPath<State, Part> & Sendable
    ) -> ScopedSystem<Part, Never> {
        scoped(by: .reading(path) { $0 })
    }

    /// A property, for those who must not send; its readers are notified when it has become unequal.
    ///
    /// - Parameter path: Where the part is.
    public func scoped<Part: Equatable & Sendable>(
        to path: any KeyPath<State, Part> & Sendable
    ) -> ScopedSystem<Part, Never> {
        scoped(by: .reading(path) { $0 })
    }

    /// The same for those who must not send: there is no value of its event type.
    ///
    /// ```swift
    /// func show(_ count: ScopedSystem<Int, Never>) { print(count.state) }
    ///
    /// let counter = System<Int, Int>(initialState: 4, scheduler: .immediate) { .value($0 + $1) }
    /// show(counter.scoped().ignoringInput)
    /// ```
    public var ignoringInput: ScopedSystem<State, Never> {
        ScopedSystem<State, Never>(settled: settled, shown: makeShown) { _, _ in }
    }
}

extension System {
    /// A property of the state, and what may happen in it.
    ///
    /// - Parameters:
    ///   - path: Where the part is.
    ///   - event: The event of the whole that says what happened in the part.
    public func scoped<Part: Sendable, PartEvent: Sendable>(
        to path: any KeyPath<State, Part> & Sendable, event: @escaping @Sendable (PartEvent) -> Event
    ) -> ScopedSystem<Part, PartEvent> {
        scoped().scoped(to: path, event: event)
    }

    /// A property of the state, and what may happen in it; its readers are notified when it has become unequal.
    ///
    /// - Parameters:
    ///   - path: Where the part is.
    ///   - event: The event of the whole that says what happened in the part.
    public func scoped<Part: Equatable & Sendable, PartEvent: Sendable>(
        to path: any KeyPath<State, Part> & Sendable, event: @escaping @Sendable (PartEvent) -> Event
    ) -> ScopedSystem<Part, PartEvent> {
        scoped().scoped(to: path, event: event)
    }

    /// A property of the state, for those who must not send.
    ///
    /// - Parameter path: Where the part is.
    public func scoped<Part: Sendable>(
        to path: any KeyPath<State, Part> & Sendable
    ) -> ScopedSystem<Part, Never> {
        scoped().scoped(to: path)
    }

    /// A property of the state, for those who must not send; its readers are notified when it has become unequal.
    ///
    /// - Parameter path: Where the part is.
    public func scoped<Part: Equatable & Sendable>(
        to path: any KeyPath<State, Part> & Sendable
    ) -> ScopedSystem<Part, Never> {
        scoped().scoped(to: path)
    }
}

extension Scope {
    /// A property that is only read: nothing is lifted by this scope, so nothing is changed through it.
    fileprivate static func reading(
        _ path: any KeyPath<State, Local> & Sendable, sending embed: @escaping @Sendable (LocalEvent) -> Event
    ) -> Scope {
        Scope(
            get: { $0[keyPath: path] }, modify: { _, _ in }, extract: { _ in nil }, embed: embed,
            key: .property(path))
    }
}
