public import Promise

extension Middleware {
    /// What middleware may know of its system, and do: read the state, and send events.
    ///
    /// It can be kept, and used later and from any thread. It does not keep the system alive.
    public struct Context: Sendable {
        @usableFromInline
        enum Base: Sendable {
            case system(StateStore<State>, WeakLoop)
            /// Of middleware that was made for a part.
            case part(read: @Sendable () -> State, send: @Sendable (Event, Origin) -> Void)
        }

        @usableFromInline let base: Base

        @inlinable
        init(_ base: Base) { self.base = base }

        /// The settled state at the moment in which it is read; the last one after the system's end.
        @inlinable public var state: State {
            switch base {
            case .system(let store, _): store.settled
            case .part(let read, _): read()
            }
        }

        /// Sends an event. From inside `before` or `after` it goes directly behind the turn that they belong to, in
        /// the order sent; later to the end of the queue.
        @inlinable
        public func sendEvent(_ event: Event, file: StaticString = #fileID, line: UInt = #line) {
            send(event, Origin(file, line))
        }

        @inlinable
        func send(_ event: Event, _ origin: Origin) {
            switch base {
            case .system(_, let loop): loop.value?.send(event, policy: nil, origin: origin, run: nil)
            case .part(_, let send): send(event, origin)
            }
        }

        /// What middleware of a part may know and do.
        func scoped<Local, LocalEvent>(
            by scope: Scope<State, Event, Local, LocalEvent>
        ) -> Middleware<Local, LocalEvent>.Context {
            .init(
                .part(read: { scope.get(state) }) { event, origin in
                    if let event = scope.embed(event) { send(event, origin) }
                })
        }

        /// What middleware may know of a state that is there, and do; nil while there is none.
        func unwrapped<Value>() -> Middleware<Value, Event>.Context? where State == Value? {
            guard let now = state else { return nil }
            // It may go while the middleware keeps this: then it reads what it was.
            return .init(.part(read: { state ?? now }, send: { send($0, $1) }))
        }

        @usableFromInline
        struct WeakLoop: Sendable {
            @usableFromInline weak let value: Loop<State, Event>?

            @inlinable
            init(_ loop: Loop<State, Event>) { value = loop }
        }
    }
}

extension Loop {
    @inlinable var context: Middleware<State, Event>.Context { .init(.system(store, .init(self))) }
}
