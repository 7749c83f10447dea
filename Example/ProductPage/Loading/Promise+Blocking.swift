import PromisedSystem

extension Promise {
    /// What blocking `work` gives, done on another scheduler, delivered on the scheduler of the chain.
    ///
    /// - Parameter work: Not begun once the promise is cancelled. It may ask whether that has happened since.
    init(
        blockingOn scheduler: any SerialScheduler,
        _ work: @escaping @Sendable (_ isCancelled: () -> Bool) throws -> Value
    ) {
        let done = Promise { resolver in
            scheduler.schedule {
                guard !resolver.isCancelled else { return }
                resolver.resolve(Result { try work { resolver.isCancelled } })
            }
        }
        // Without a delay it would be delivered where the work was done.
        self = done.delay(.zero)
    }
}
