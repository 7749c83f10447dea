public import Promise

/// The outward face of a system: what can be read of it, and the one way to send. Whole, or narrowed to a part.
///
/// Screens and other users of a feature know this alone, and get a real system, a part of one, a ``constant(_:)`` or
/// a ``mock(_:_:)``, as the case may be. It keeps the system that it belongs to.
public struct ScopedSystem<State: Sendable, Event: Sendable>: Sendable {
    /// The settled states: the present one, and the changes.
    public let settled: Source<State>
    @usableFromInline let send: @Sendable (Event, Origin) -> Void

    @inlinable
    init(settled: Source<State>, send: @escaping @Sendable (Event, Origin) -> Void) {
        (self.settled, self.send) = (settled, send)
    }

    /// The last settled state; from any thread.
    @inlinable public var state: State { settled.value }

    /// Sends an event, from any thread.
    @inlinable
    public func sendEvent(_ event: Event, file: StaticString = #fileID, line: UInt = #line) {
        send(event, Origin(file, line))
    }

    /// A part of this one.
    ///
    /// - Parameter scope: The way to the part. Events that it declines to embed are not sent.
    @inlinable
    public func scoped<Local, LocalEvent>(
        by scope: Scope<State, Event, Local, LocalEvent>
    ) -> ScopedSystem<Local, LocalEvent> {
        ScopedSystem<Local, LocalEvent>(settled: settled.part(scope.get, at: scope.path)) {
            [send, embed = scope.embed] event, origin in
            if let event = embed(event) { send(event, origin) }
        }
    }

    /// A part of this one, whose readers are told when it has become unequal.
    ///
    /// - Parameter scope: The way to the part. Events that it declines to embed are not sent.
    @inlinable
    public func scoped<Local: Equatable, LocalEvent>(
        by scope: Scope<State, Event, Local, LocalEvent>
    ) -> ScopedSystem<Local, LocalEvent> {
        ScopedSystem<Local, LocalEvent>(settled: scope.source(in: settled) { $0 == $1 }) {
            [send, embed = scope.embed] event, origin in
            if let event = embed(event) { send(event, origin) }
        }
    }

    /// A part of this one, which need not be there itself; nil while it is not.
    ///
    /// - Parameter scope: The way to the part, from this one when it is there.
    @inlinable
    public func scoped<Present, Local, LocalEvent>(
        by scope: Scope<Present, Event, Local, LocalEvent>
    ) -> ScopedSystem<Local?, LocalEvent> where State == Present? {
        scoped(by: Scope<State, Event, State, Event>.identity().appending(scope))
    }

    /// A part of this one, neither of which need be there.
    ///
    /// - Parameter scope: The way to the part, from this one when it is there.
    @inlinable
    public func scoped<Present, Local, LocalEvent>(
        by scope: Scope<Present, Event, Local?, LocalEvent>
    ) -> ScopedSystem<Local?, LocalEvent> where State == Present? {
        scoped(by: Scope<State, Event, State, Event>.identity().appending(scope))
    }

    /// A part of this one, which need not be there itself, whose readers are told when it has become unequal.
    ///
    /// - Parameter scope: The way to the part, from this one when it is there.
    @inlinable
    public func scoped<Present, Local: Equatable, LocalEvent>(
        by scope: Scope<Present, Event, Local, LocalEvent>
    ) -> ScopedSystem<Local?, LocalEvent> where State == Present? {
        scoped(by: Scope<State, Event, State, Event>.identity().appending(scope))
    }

    /// A part of this one, neither of which need be there, whose readers are told when it has become unequal.
    ///
    /// - Parameter scope: The way to the part, from this one when it is there.
    @inlinable
    public func scoped<Present, Local: Equatable, LocalEvent>(
        by scope: Scope<Present, Event, Local?, LocalEvent>
    ) -> ScopedSystem<Local?, LocalEvent> where State == Present? {
        scoped(by: Scope<State, Event, State, Event>.identity().appending(scope))
    }

    /// One that always has this state, and does nothing with events: for previews and tests.
    public static func constant(_ state: State) -> ScopedSystem {
        let system = System<State, Event>(
            initialState: state, scheduler: .immediate, reducer: .identity,
            middleware: Middleware(before: { _, _ in .stop }))
        return system.scoped()
    }

    /// One that does with events what the closure says, right where they are sent: for previews and tests.
    ///
    /// - Parameters:
    ///   - state: The first state.
    ///   - reduce: Changes the state.
    public static func mock(
        _ state: State, _ reduce: @escaping @Sendable (inout State, Event) -> Void
    ) -> ScopedSystem {
        System<State, Event>(initialState: state, scheduler: .immediate, reducer: Reducer(reduce)).scoped()
    }
}

extension System {
    /// All of this system, as those see it who only use it.
    @inlinable
    public func scoped() -> ScopedSystem<State, Event> {
        ScopedSystem(settled: settled) { [self] event, origin in loop.receive(event, nil, origin) }
    }

    /// A part of this system.
    ///
    /// - Parameter scope: The way to the part. Events that it declines to embed are not sent.
    @inlinable
    public func scoped<Local, LocalEvent>(
        by scope: Scope<State, Event, Local, LocalEvent>
    ) -> ScopedSystem<Local, LocalEvent> {
        scoped().scoped(by: scope)
    }

    /// A part of this system, whose readers are told when it has become unequal.
    ///
    /// - Parameter scope: The way to the part. Events that it declines to embed are not sent.
    @inlinable
    public func scoped<Local: Equatable, LocalEvent>(
        by scope: Scope<State, Event, Local, LocalEvent>
    ) -> ScopedSystem<Local, LocalEvent> {
        scoped().scoped(by: scope)
    }
}
