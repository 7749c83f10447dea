extension Promise {
    /// The value, once it is there; starts the promise.
    ///
    /// A promise that has settled is read without suspending; otherwise the task resumes on its own executor.
    /// Interim values are passed over. Cancelling the task that waits withdraws its
    /// interest, and ends the wait at once.
    ///
    /// - Throws: The error of the promise; `CancellationError` when the waiting task is cancelled.
    @inlinable public var value: Value {
        get async throws {
            switch representation {
            case .word(let word): return word.value(as: Value.self)
            case .rejected(let rejection): throw rejection.markHandled()
            case .storage(let reference):
                if !reference.storage.isSettled { try await reference.waitUntilSettled() }
                guard !reference.storage.isRejected else { throw reference.storage.rejection.markHandled() }
                return reference.storage.value(as: Value.self)
            }
        }
    }
}

extension StorageReference {
    /// Starts the promise and waits for its outcome, which the caller then reads where it lies.
    ///
    /// - Throws: `CancellationError` when the waiting task is cancelled.
    @usableFromInline
    func waitUntilSettled() async throws {
        let waiter = StorageReference(PromiseStorage.waiter(for: storage))
        try await withTaskCancellationHandler {
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

    /// A handler that resumes a task, exactly once: when the outcome is there, or when it is cancelled.
    ///
    /// The continuation is of the unchecked kind because this is the check: whoever owns `payload` resumes it.
    fileprivate static func waiter(for upstream: PromiseStorage) -> PromiseStorage {
        PromiseStorage.make(
            Void.self, flags: Flags.held, upstream: upstream, origin: upstream.origin
        ) { storage, _, verb in
            switch verb {
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
