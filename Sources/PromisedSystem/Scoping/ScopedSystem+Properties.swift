// Scoping to a property without a scope.
extension ScopedSystem {
    /// Scopes this system to a property of the state, with events of its own.
    ///
    /// - Parameters:
    ///   - path: The key path to the part.
    ///   - event: Wraps an event of the part in an event of the whole.
    public func scoped<Part: Sendable, PartEvent: Sendable>(
        to path: any KeyPath<State, Part> & Sendable, event: @escaping @Sendable (PartEvent) -> Event
    ) -> ScopedSystem<Part, PartEvent> {
        scoped(by: .reading(path, sending: event))
    }

    /// Scopes this system to a property of the state, with events of its own. Subscribers are notified only when the
    /// property has changed.
    ///
    /// - Parameters:
    ///   - path: The key path to the part.
    ///   - event: Wraps an event of the part in an event of the whole.
    public func scoped<Part: Equatable & Sendable, PartEvent: Sendable>(
        to path: any KeyPath<State, Part> & Sendable, event: @escaping @Sendable (PartEvent) -> Event
    ) -> ScopedSystem<Part, PartEvent> {
        scoped(by: .reading(path, sending: event))
    }

    /// Scopes this system to a property of the state, read-only: no events can be sent.
    ///
    /// - Parameter path: The key path to the part.
    public func scoped<Part: Sendable>(
        to path: any KeyPath<State, Part> & Sendable
    ) -> ScopedSystem<Part, Never> {
        scoped(by: .reading(path) { $0 })
    }

    /// Scopes this system to a property of the state, read-only: no events can be sent. Subscribers are notified only
    /// when the property has changed.
    ///
    /// - Parameter path: The key path to the part.
    public func scoped<Part: Equatable & Sendable>(
        to path: any KeyPath<State, Part> & Sendable
    ) -> ScopedSystem<Part, Never> {
        scoped(by: .reading(path) { $0 })
    }

    /// This system read-only: its event type is `Never`, so no event can be sent.
    ///
    /// ```swift
    /// func show(_ count: ScopedSystem<Int, Never>) { print(count.state) }
    ///
    /// let counter = System<Int, Int>(initialState: 4, scheduler: .immediate) { .value($0 + $1) }
    /// show(counter.scoped().ignoringInput)
    /// ```
    public var ignoringInput: ScopedSystem<State, Never> {
        ScopedSystem<State, Never>(settled: settled, shown: makeShown, place: place) { _, _, _ in }
    }
}

extension System {
    /// Scopes this system to a property of the state, with events of its own.
    ///
    /// - Parameters:
    ///   - path: The key path to the part.
    ///   - event: Wraps an event of the part in an event of the whole.
    public func scoped<Part: Sendable, PartEvent: Sendable>(
        to path: any KeyPath<State, Part> & Sendable, event: @escaping @Sendable (PartEvent) -> Event
    ) -> ScopedSystem<Part, PartEvent> {
        scoped().scoped(to: path, event: event)
    }

    /// Scopes this system to a property of the state, with events of its own. Subscribers are notified only when the
    /// property has changed.
    ///
    /// - Parameters:
    ///   - path: The key path to the part.
    ///   - event: Wraps an event of the part in an event of the whole.
    public func scoped<Part: Equatable & Sendable, PartEvent: Sendable>(
        to path: any KeyPath<State, Part> & Sendable, event: @escaping @Sendable (PartEvent) -> Event
    ) -> ScopedSystem<Part, PartEvent> {
        scoped().scoped(to: path, event: event)
    }

    /// Scopes this system to a property of the state, read-only: no events can be sent.
    ///
    /// - Parameter path: The key path to the part.
    public func scoped<Part: Sendable>(
        to path: any KeyPath<State, Part> & Sendable
    ) -> ScopedSystem<Part, Never> {
        scoped().scoped(to: path)
    }

    /// Scopes this system to a property of the state, read-only: no events can be sent. Subscribers are notified only
    /// when the property has changed.
    ///
    /// - Parameter path: The key path to the part.
    public func scoped<Part: Equatable & Sendable>(
        to path: any KeyPath<State, Part> & Sendable
    ) -> ScopedSystem<Part, Never> {
        scoped().scoped(to: path)
    }
}

extension Scope {
    /// A read-only scope to a property. It is never used to lift a feature, so its `modify` is never called.
    fileprivate static func reading(
        _ path: any KeyPath<State, Local> & Sendable, sending embed: @escaping @Sendable (LocalEvent) -> Event
    ) -> Scope {
        Scope(
            get: { $0[keyPath: path] }, modify: { _, _ in }, extract: { _ in nil }, embed: embed,
            key: .property(path))
    }
}
