extension StorageReference {
    /// Starts the promise and suspends until it has settled; the caller then reads the outcome from the storage.
    ///
    /// - Throws: `CancellationError` when the awaiting task is cancelled.
    @usableFromInline
    func waitUntilSettled(isolation: isolated (any Actor)? = #isolation) async throws {
        let waiter = StorageReference(PromiseStorage.waiter(for: storage))
        try await withTaskCancellationHandler {
            // Starts the promise where the caller is, as the capture isolates this closure.
            _ = isolation
            try await withUnsafeThrowingContinuation { (continuation: PromiseStorage.Waiting) in
                waiter.storage.put(work: continuation)
                if !waiter.storage.startHolder() { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            waiter.storage.cancel()
        }
    }
}

extension PromiseStorage {
    fileprivate typealias Waiting = UnsafeContinuation<Void, any Error>

    /// Creates a handler that resumes a task exactly once: when the promise has settled, or when the handler is
    /// cancelled.
    ///
    /// The continuation need not be a checked one: only the owner of `payload` resumes it, and the flags of the
    /// storage grant that ownership once.
    fileprivate static func waiter(for upstream: PromiseStorage) -> PromiseStorage {
        PromiseStorage.make(
            Void.self, flags: .held, upstream: .passRetained(upstream), origin: upstream.origin
        ) { storage, _, event in
            switch event {
            case .fire:
                let continuation = storage.takeWork(as: Waiting.self)
                storage.fulfill(())
                continuation.resume()
            case .release: storage.takeWork(as: Waiting.self).resume(throwing: CancellationError())
            case .interim, .dispose: break
            }
        }
    }
}
