/// Creates a new system for each subscription and stops it when the subscription ends.
///
/// ```swift
/// let countdown = ColdSystem {
///     System(
///         initialState: 3, scheduler: .serial("countdown"), reducer: Reducer<Int, Int> { $0 += $1 },
///         feedbacks: [.latest(state: { $0 > 0 ? $0 : nil }) { _ in Effect.just(-1) }])
/// }
/// let one = countdown.subscribe { print("one:", $0) }
/// let other = countdown.subscribe { print("other:", $0) }
/// one.cancel()
/// other.cancel()
/// ```
///
/// Subscribers share nothing, and without a subscriber nothing runs. A ``System`` itself is hot: it runs
/// from its creation on, and all subscribers share it.
public struct ColdSystem<State: Sendable, Event: Sendable>: Sendable {
    private let make: @Sendable () -> System<State, Event>

    /// Creates a cold system; no system exists until the first subscription.
    ///
    /// - Parameter make: Creates a system; called once for each subscription and each iteration of ``values``.
    public init(_ make: @escaping @Sendable () -> System<State, Event>) { self.make = make }

    /// Creates a system for this subscriber and calls `body` with its settled states, the current one first.
    ///
    /// - Parameter body: Called on the system's scheduler, or on the main actor if the closure is isolated to it. The
    ///   first call happens on the calling thread before this returns, unless the closure is isolated to another actor.
    /// - Returns: A token that stops the system when it is cancelled or released; retain it.
    public func subscribe(
        @_inheritActorContext _ body: @escaping @isolated(any) @Sendable (State) -> Void
    ) -> SubscriptionToken {
        let system = make()
        let subscription = system.settled.subscribe(body)
        return SubscriptionToken(endsOnRelease: true) {
            subscription.cancel()
            system.stop()
        }
    }

    /// The settled states as an asynchronous sequence: each iteration creates a system, and stops it when it ends.
    public var values: Values { Values(make: make) }

    /// An asynchronous sequence of the settled states of a system that is created when an iteration begins.
    public struct Values: AsyncSequence, Sendable {
        fileprivate let make: @Sendable () -> System<State, Event>

        /// Creates a system and subscribes to its settled states, the current one first. The system is stopped when
        /// the iterator is released or its task is cancelled.
        public func makeAsyncIterator() -> AsyncStream<State>.Iterator {
            let system = make()
            let (states, continuation) = AsyncStream.makeStream(of: State.self)
            let token = system.settled.attach(true, { continuation.yield($0) }, { continuation.finish() })
            continuation.onTermination = { _ in
                token.cancel()
                system.stop()
            }
            return states.makeAsyncIterator()
        }
    }
}
