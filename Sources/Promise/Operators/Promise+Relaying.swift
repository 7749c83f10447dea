extension Promise {
    /// The handlers of a relayed promise, for updates of its upstream and for its own cancellation.
    struct Relay: Sendable {
        /// By default interim values are forwarded.
        var interim: (@Sendable (ValueBox<Value>) -> Void)?
        var outcome: @Sendable (Outcome<Value>) -> Void
        /// Called when the relayed promise is cancelled, after the cancellation of its upstream.
        var cancelled: (@Sendable () throws -> Void)?
    }

    /// Creates a promise that observes this one and has its own resolver: the base of operators that do not simply
    /// transform one outcome into another.
    ///
    /// - Parameter begin: Called when the work starts, with the resolver and the scheduler of the chain.
    func relay(
        origin: Origin, _ begin: @escaping @Sendable (Resolver<Value>, any SerialScheduler) -> Relay
    ) -> Promise {
        Promise(origin: origin) { [self] resolver, scheduler in
            let relay = begin(resolver, scheduler)
            let target = resolver.handle.reference.storage
            let observation = observe(inheriting: scheduler, for: target, origin) { update in
                switch update {
                case .interim(let box):
                    if let interim = relay.interim { interim(box) } else { resolver.report(box) }
                case .outcome(let outcome): relay.outcome(outcome)
                }
            }
            // Captures only this closure: the whole relay retains the resolver.
            resolver.onCancel { [cancelled = relay.cancelled] in
                observation.cancel()
                // Enqueued on this thread's trampoline, after the deliveries that the cancellation has enqueued.
                if let cancelled { _ = Promise<Void>.value(()).attach({ try cancelled() }, origin) }
            }
        }.led(by: leadingInterims)
    }
}
