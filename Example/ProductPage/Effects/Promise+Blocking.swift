import PromisedSystem

extension Promise {
    /// What blocking `work` gives, done on a scheduler where nobody waits for it. Whoever has started the
    /// promise gets it where they are.
    ///
    /// - Parameter work: Not begun once the promise is cancelled. It is passed a question: whether that has
    ///   happened since.
    init(
        on scheduler: any SerialScheduler,
        _ work: @escaping @Sendable (_ isCancelled: () -> Bool) throws -> Value
    ) {
        let done = Promise { resolver in
            scheduler.schedule {
                guard !resolver.isCancelled else { return }
                resolver.resolve(Result { try work { resolver.isCancelled } })
            }
        }
        // No delay but the way back: this one delivers on the scheduler of the chain.
        self = done.delay(.zero)
    }
}
