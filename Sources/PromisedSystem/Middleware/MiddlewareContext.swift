public import Promise

extension Middleware {
    /// The access of middleware to its system: reads the state and sends events.
    ///
    /// It can be stored and used later, from any thread. It does not retain the system.
    public struct Context: Sendable {
        @usableFromInline
        enum Base: Sendable {
            case system(StateStore<State>, WeakHost)
            /// The context of middleware of a part of the state.
            case part(read: @Sendable () -> State, send: @Sendable (Event, Origin) -> Void)
        }

        @usableFromInline let base: Base

        @inlinable
        init(_ base: Base) { self.base = base }

        /// The settled state at the time of reading; after the system's end, the last one.
        @inlinable public var state: State {
            switch base {
            case .system(let store, _): store.settledBehindOverride
            case .part(let read, _): read()
            }
        }

        /// Sends an event to the system; a no-op after the system's end.
        ///
        /// The system's `eventPolicy` applies. Events with the policy ``EventPolicy/queue`` that are sent from inside
        /// `before` or `after` are processed directly after the turn that the call belongs to, in the order sent. Any
        /// other event, and one that is sent later, is treated as one from outside.
        @inlinable
        public func sendEvent(_ event: Event, file: StaticString = #fileID, line: UInt = #line) {
            send(event, Origin(file, line))
        }

        @inlinable
        func send(_ event: Event, _ origin: Origin) {
            switch base {
            case .system(_, let host): host.value?.receiveFromMiddleware(event, origin)
            case .part(_, let send): send(event, origin)
            }
        }

        /// The context for middleware of the wrapped value; nil while the optional state is nil.
        func unwrapped<Value>() -> Middleware<Value, Event>.Context? where State == Value? {
            guard let now = state else { return nil }
            // The state may become nil while the middleware stores the context: it then reads the value at creation.
            return .init(.part(read: { state ?? now }, send: { send($0, $1) }))
        }

        @usableFromInline
        struct WeakHost: Sendable {
            @usableFromInline weak let value: (any MiddlewareHost<Event>)?

            @inlinable
            init(_ host: any MiddlewareHost<Event>) { value = host }
        }
    }
}

/// The loop of a system, as its middleware sees it.
@usableFromInline
protocol MiddlewareHost<Event>: AnyObject, Sendable {
    associatedtype Event: Sendable

    /// Enqueues an event that middleware sends.
    func receiveFromMiddleware(_ event: Event, _ origin: Origin)
}
