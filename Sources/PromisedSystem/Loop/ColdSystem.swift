/// A system for each who subscribes: made and started when they do, and ended when they stop.
///
/// ```swift
/// let countdown = ColdSystem {
///     System(
///         initialState: 3, scheduler: .serial("countdown"), reducer: Reducer<Int, Int> { $0 += $1 },
///         feedbacks: [.lensing(state: { $0 > 0 ? $0 : nil }) { _ in Effect.just(-1) }])
/// }
/// let one = countdown.subscribe { print("one:", $0) }
/// let other = countdown.subscribe { print("other:", $0) }
/// one.cancel()
/// other.cancel()
/// ```
///
/// Subscribers share nothing, and without a subscriber nothing runs. A ``System`` by itself is hot: it runs
/// from its creation on, for all subscribers.
public struct ColdSystem<State: Sendable, Event: Sendable>: Sendable {
    private let make: @Sendable () -> System<State, Event>

    /// - Parameter make: Makes a new system; called for each subscription.
    public init(_ make: @escaping @Sendable () -> System<State, Event>) { self.make = make }

    /// Starts a system of its own, and calls `body` with its settled states, the present one first.
    ///
    /// - Parameter body: Called on the scheduler of the system, the first time right here; a closure from main-actor code
    ///   on the main actor.
    /// - Returns: Keep it: when it goes, or is cancelled, the system is stopped.
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

    /// The settled states of a system of its own for each iteration, which ends with it.
    public var values: Values { Values(make: make) }

    /// An asynchronous sequence of the states of a system that is made when the iteration begins.
    public struct Values: AsyncSequence, Sendable {
        fileprivate let make: @Sendable () -> System<State, Event>

        /// Starts a system.
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
