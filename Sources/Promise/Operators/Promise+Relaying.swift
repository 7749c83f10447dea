extension Promise {
    /// What a relayed promise does when something happens to what it observes, or to itself.
    struct Relay: Sendable {
        var interim: @Sendable (ValueBox<Value>) -> Void
        var outcome: @Sendable (Outcome<Value>) -> Void
        /// It was cancelled; called when what it observes has been told.
        var cancelled: (@Sendable () throws -> Void)?
    }

    /// A promise that observes this one and settles by itself: what the operators are built on that need
    /// more than a closure between two outcomes.
    ///
    /// - Parameter begin: Called when the work starts, with the scheduler of the chain.
    func relay(
        origin: Origin, _ begin: @escaping @Sendable (Resolver<Value>, any SerialScheduler) -> Relay
    ) -> Promise {
        let relayed = Promise(origin: origin) { [self] resolver, scheduler in
            let relay = begin(resolver, scheduler)
            let observation = observe(on: scheduler) { update in
                switch update {
                case .interim(let box): relay.interim(box)
                case .outcome(let outcome): relay.outcome(outcome)
                }
            }
            // Not the whole relay, which keeps the resolver.
            resolver.onCancel { [cancelled = relay.cancelled] in
                observation.cancel()
                // Behind what that set off, which waits on this thread's list.
                if let cancelled { _ = Promise<Void>.value(()).attach({ try cancelled() }, origin) }
            }
        }
        return Promise(representation: relayed.representation, leadingInterims: leadingInterims)
    }
}
