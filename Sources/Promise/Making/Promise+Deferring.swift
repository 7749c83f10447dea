extension Promise {
    /// Creates a promise that is decided on when it starts: it becomes the one that `make` returns.
    ///
    /// - Parameter make: Called once, on the thread that starts the promise, with the scheduler of the chain.
    @inlinable
    package init(
        file: StaticString, line: UInt, deferring make: @escaping @Sendable (any SerialScheduler) -> Promise
    ) {
        let storage = PromiseStorage.make(
            Value.self, flags: .work | .forwards, origin: Origin(file, line), work: Deferred(make: make)
        ) { storage, _, event in
            guard case .fire = event else { return storage.dispose(Value.self, on: event) }
            storage.resolve(storage.takeWork(as: Deferred.self).make(storage.schedulerOfChain))
        }
        self.init(storage: storage)
    }

    @usableFromInline
    struct Deferred: Sendable {
        @usableFromInline let make: @Sendable (any SerialScheduler) -> Promise

        @inlinable
        init(make: @escaping @Sendable (any SerialScheduler) -> Promise) { self.make = make }
    }
}
