public import Promise

/// The outward face of a system: what can be read of it, and the one way to send. Whole, or narrowed to a part.
///
/// Screens and other users of a feature know this alone, and get a real system, a part of one, a ``constant(_:)`` or
/// a ``mock(_:_:)``, as the case may be. It keeps the system that it belongs to.
///
/// A screen that is to show loading states reads ``shown``; ``settled`` is for what only wants results.
public struct ScopedSystem<State: Sendable, Event: Sendable>: Sendable {
    /// The settled states: the present one, and the changes.
    public let settled: Source<State>
    @usableFromInline let makeShown: @Sendable () -> Source<Shown<State>>
    @usableFromInline let send: @Sendable (Event, Origin) -> Void

    /// - Parameter shown: Makes the source of what is shown, which most users never ask for.
    @inlinable
    init(
        settled: Source<State>, shown: @escaping @Sendable () -> Source<Shown<State>>,
        send: @escaping @Sendable (Event, Origin) -> Void
    ) {
        (self.settled, makeShown, self.send) = (settled, shown, send)
    }

    /// What is shown: settled and loading states. Of a part, that part of each.
    ///
    /// A part is loading while the whole is: while a transition runs that has shown a state in place of the next. Its
    /// readers are notified where those of the whole are, and where the part is `Equatable`, when it or this has become
    /// unequal.
    @inlinable public var shown: Source<Shown<State>> { makeShown() }

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
        ScopedSystem<Local, LocalEvent>(
            settled: settled.part(scope.get, at: scope.key),
            shown: { [makeShown, get = scope.get, key = scope.key] in
                makeShown().part({ $0.map(get) }, at: key)
            }
        ) { [send, embed = scope.embed] event, origin in
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
        ScopedSystem<Local, LocalEvent>(
            settled: scope.source(in: settled) { $0 == $1 },
            shown: { [makeShown, get = scope.get, key = scope.key] in
                makeShown().part({ $0.map(get) }, at: key, unlessEqual: ==)
            }
        ) { [send, embed = scope.embed] event, origin in
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
}

extension System {
    /// All of this system, as those see it who only use it.
    @inlinable
    public func scoped() -> ScopedSystem<State, Event> {
        ScopedSystem(settled: settled, shown: { [self] in shown }) { [self] event, origin in
            loop.receive(event, nil, origin)
        }
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
