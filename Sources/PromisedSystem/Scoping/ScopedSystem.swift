public import Promise

/// The public interface of a system, or of a part of it: its state and the events that can be sent.
///
/// Screens and other users of a feature depend only on this type. They receive a whole system, a part of one, a
/// ``constant(_:)`` or a ``mock(_:_:)``. It retains the system that it belongs to.
///
/// Read ``shown`` in a screen that shows loading states; read ``settled`` if only results matter.
public struct ScopedSystem<State: Sendable, Event: Sendable>: Sendable {
    /// The settled states: the current one and every later one.
    public let settled: Source<State>
    @usableFromInline let makeShown: @Sendable () -> Source<Shown<State>>
    @usableFromInline let place: PartPlace
    /// Sends an event, which is dropped if the handle, if any, is over when it is dequeued.
    @usableFromInline let send: @Sendable (Event, Origin, PartHandle?) -> Void

    /// - Parameter shown: Creates the source of shown states, lazily because most users never read it.
    @inlinable
    init(
        settled: Source<State>, shown: @escaping @Sendable () -> Source<Shown<State>>, place: PartPlace,
        send: @escaping @Sendable (Event, Origin, PartHandle?) -> Void
    ) {
        (self.settled, makeShown, self.place, self.send) = (settled, shown, place, send)
    }

    /// The shown states: settled and loading ones. For a part, the part of each.
    ///
    /// A part is loading while its whole is: while a transition runs that has shown an interim state. Its subscribers
    /// are notified on the same scheduler as those of the whole; if the part is `Equatable`, only when the part has
    /// changed or has begun or ended loading.
    @inlinable public var shown: Source<Shown<State>> { makeShown() }

    /// The last settled state; can be read from any thread.
    @inlinable public var state: State { settled.value }

    /// Sends an event; can be called from any thread.
    @inlinable
    public func sendEvent(_ event: Event, file: StaticString = #fileID, line: UInt = #line) {
        send(event, Origin(file, line), nil)
    }

    /// Scopes this system to a part.
    ///
    /// - Parameter scope: The path to the part. Events that `embed` declines are not sent.
    @inlinable
    public func scoped<Local, LocalEvent>(
        by scope: Scope<State, Event, Local, LocalEvent>
    ) -> ScopedSystem<Local, LocalEvent> {
        ScopedSystem<Local, LocalEvent>(
            settled: settled.part(scope.get, at: scope.key),
            shown: { [makeShown, get = scope.get, key = scope.key] in
                makeShown().part({ $0.map(get) }, at: key)
            }, place: place.appending(scope, of: settled)
        ) { [send, embed = scope.embed] event, origin, handle in
            if let event = embed(event) { send(event, origin, handle) }
        }
    }

    /// Scopes this system to a part. Subscribers are notified only when the part has changed.
    ///
    /// - Parameter scope: The path to the part. Events that `embed` declines are not sent.
    @inlinable
    public func scoped<Local: Equatable, LocalEvent>(
        by scope: Scope<State, Event, Local, LocalEvent>
    ) -> ScopedSystem<Local, LocalEvent> {
        ScopedSystem<Local, LocalEvent>(
            settled: scope.source(in: settled),
            shown: { [makeShown, get = scope.get, key = scope.key] in
                makeShown().part({ $0.map(get) }, at: key, unlessEqual: areSame)
            }, place: place.appending(scope, of: settled)
        ) { [send, embed = scope.embed] event, origin, handle in
            if let event = embed(event) { send(event, origin, handle) }
        }
    }

    /// Scopes this system, whose state is optional, to a part; nil while the state is nil.
    ///
    /// - Parameter scope: The path from the unwrapped state to the part.
    @inlinable
    public func scoped<Present, Local, LocalEvent>(
        by scope: Scope<Present, Event, Local, LocalEvent>
    ) -> ScopedSystem<Local?, LocalEvent> where State == Present? {
        scoped(by: Scope<State, Event, State, Event>.identity().appending(scope))
    }

    /// Scopes this system, whose state is optional, to an optional part; nil while either is nil.
    ///
    /// - Parameter scope: The path from the unwrapped state to the part.
    @inlinable
    public func scoped<Present, Local, LocalEvent>(
        by scope: Scope<Present, Event, Local?, LocalEvent>
    ) -> ScopedSystem<Local?, LocalEvent> where State == Present? {
        scoped(by: Scope<State, Event, State, Event>.identity().appending(scope))
    }

    /// Scopes this system, whose state is optional, to a part; nil while the state is nil. Subscribers are notified
    /// only when the part has changed.
    ///
    /// - Parameter scope: The path from the unwrapped state to the part.
    @inlinable
    public func scoped<Present, Local: Equatable, LocalEvent>(
        by scope: Scope<Present, Event, Local, LocalEvent>
    ) -> ScopedSystem<Local?, LocalEvent> where State == Present? {
        scoped(by: Scope<State, Event, State, Event>.identity().appending(scope))
    }

    /// Scopes this system, whose state is optional, to an optional part; nil while either is nil. Subscribers are
    /// notified only when the part has changed.
    ///
    /// - Parameter scope: The path from the unwrapped state to the part.
    @inlinable
    public func scoped<Present, Local: Equatable, LocalEvent>(
        by scope: Scope<Present, Event, Local?, LocalEvent>
    ) -> ScopedSystem<Local?, LocalEvent> where State == Present? {
        scoped(by: Scope<State, Event, State, Event>.identity().appending(scope))
    }
}

extension System {
    /// The whole system as a ``ScopedSystem``.
    @inlinable
    public func scoped() -> ScopedSystem<State, Event> {
        ScopedSystem(settled: settled, shown: { [self] in shown }, place: .whole) {
            [self] event, origin, handle in
            loop.receive(event, nil, origin, from: handle?.sender())
        }
    }

    /// Scopes this system to a part.
    ///
    /// - Parameter scope: The path to the part. Events that `embed` declines are not sent.
    @inlinable
    public func scoped<Local, LocalEvent>(
        by scope: Scope<State, Event, Local, LocalEvent>
    ) -> ScopedSystem<Local, LocalEvent> {
        scoped().scoped(by: scope)
    }

    /// Scopes this system to a part. Subscribers are notified only when the part has changed.
    ///
    /// - Parameter scope: The path to the part. Events that `embed` declines are not sent.
    @inlinable
    public func scoped<Local: Equatable, LocalEvent>(
        by scope: Scope<State, Event, Local, LocalEvent>
    ) -> ScopedSystem<Local, LocalEvent> {
        scoped().scoped(by: scope)
    }
}
