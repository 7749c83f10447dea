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
            switch storage {
            case .fulfilled(let value): return value
            case .rejected(let rejection): throw rejection.look()
            case .cell(let link):
                guard link.cell.isSettled else { return try await wait(for: link.cell) }
                return try link.cell.outcome(of: Value.self).result.get()
            }
        }
    }

    @inlinable
    func wait(for cell: Cell) async throws -> Value {
        let waiter = Link(Self.waiter(for: cell))
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Value, any Error>) in
                waiter.cell.put(work: continuation)
                if !waiter.cell.startHeld() { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            waiter.cell.cancel()
        }
    }

    /// A handler that resumes a task, exactly once: with the outcome, or when it is cancelled.
    ///
    /// The continuation is of the unchecked kind because this is the check: whoever owns `payload` resumes it.
    @inlinable
    static func waiter(for upstream: Cell) -> Cell {
        Cell.make(
            Void.self, flags: Flags.held, upstream: upstream, origin: upstream.origin
        ) { cell, source, verb in
            typealias Continuation = UnsafeContinuation<Value, any Error>
            switch verb {
            case .fire:
                let continuation = cell.takeWork(as: Continuation.self)
                cell.fulfill(())
                if source.isRejected {
                    continuation.resume(throwing: source.rejection.look())
                } else {
                    continuation.resume(returning: source.value(as: Value.self))
                }
            case .unseed: cell.takeWork(as: Continuation.self).resume(throwing: CancellationError())
            case .interim, .dispose: break
            }
        }
    }
}
