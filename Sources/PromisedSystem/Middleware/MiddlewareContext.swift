public import Promise

extension Middleware {
    /// What middleware may know of its system, and do: read the state, and send events.
    ///
    /// It can be kept, and used later and from any thread. It does not keep the system alive.
    public struct Context: Sendable {
        @usableFromInline let stage: Stage<State>
        @usableFromInline let loop: WeakLoop

        @inlinable
        init(_ loop: Loop<State, Event>) {
            stage = loop.stage
            self.loop = WeakLoop(loop)
        }

        /// The settled state at the moment in which it is read; the last one after the system's end.
        @inlinable public var state: State { stage.settled }

        /// Sends an event. From inside `before` or `after` it goes directly behind the turn that they belong to, in
        /// the order sent; later to the end of the queue.
        @inlinable
        public func sendEvent(_ event: Event, file: StaticString = #fileID, line: UInt = #line) {
            loop.value?.send(event, policy: nil, origin: Origin(file, line), run: nil)
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
    @inlinable var context: Middleware<State, Event>.Context { Middleware<State, Event>.Context(self) }
}
