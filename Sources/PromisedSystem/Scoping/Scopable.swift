/// A ``System`` or a ``ScopedSystem``: what can be scoped to a part of its state.
public protocol Scopable<State, Event>: Sendable {
    /// The type of the state.
    associatedtype State: Sendable
    /// The type of the events that can be sent.
    associatedtype Event: Sendable

    /// The whole as a ``ScopedSystem``.
    func scoped() -> ScopedSystem<State, Event>
}

extension System: Scopable {
    /// The whole system as a ``ScopedSystem``.
    @inlinable
    public func scoped() -> ScopedSystem<State, Event> {
        ScopedSystem(settled: settled, shown: { [self] in shown }, place: .whole) {
            [self] event, origin, handle in
            loop.receive(event, nil, origin, from: handle?.sender())
        }
    }
}

extension ScopedSystem: Scopable {
    /// Returns this system unchanged.
    @inlinable public func scoped() -> ScopedSystem { self }
}

extension Scopable {
    /// Scopes this system to a part.
    ///
    /// - Parameter scope: The path to the part. Events that `embed` declines are not sent.
    @inlinable
    public func scoped<Local, LocalEvent>(
        by scope: Scope<State, Event, Local, LocalEvent>
    ) -> ScopedSystem<Local, LocalEvent> {
        let whole = scoped()
        return whole.scoped(by: scope, settled: whole.settled.part(scope.get, at: scope.key)) {
            [shown = whole.makeShown, get = scope.get, key = scope.key] in
            shown().part({ $0.map(get) }, at: key)
        }
    }

    /// Scopes this system to a part. Subscribers are notified only when the part has changed.
    ///
    /// - Parameter scope: The path to the part. Events that `embed` declines are not sent.
    @inlinable
    public func scoped<Local: Equatable, LocalEvent>(
        by scope: Scope<State, Event, Local, LocalEvent>
    ) -> ScopedSystem<Local, LocalEvent> {
        let whole = scoped()
        return whole.scoped(by: scope, settled: scope.source(in: whole.settled)) {
            [shown = whole.makeShown, get = scope.get, key = scope.key] in
            shown().part({ $0.map(get) }, at: key, unlessEqual: areSame)
        }
    }

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
}

extension ScopedSystem {
    @inlinable
    func scoped<Local, LocalEvent>(
        by scope: Scope<State, Event, Local, LocalEvent>, settled part: Source<Local>,
        shown: @escaping @Sendable () -> Source<Shown<Local>>
    ) -> ScopedSystem<Local, LocalEvent> {
        ScopedSystem<Local, LocalEvent>(
            settled: part, shown: shown, place: place.appending(scope, of: settled)
        ) { [send, embed = scope.embed] event, origin, handle in
            if let event = embed(event) { send(event, origin, handle) }
        }
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
