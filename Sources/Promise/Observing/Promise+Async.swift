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
            case .word(let word): return word.value(as: Value.self)
            case .rejected(let rejection): throw rejection.look()
            case .cell(let link):
                if !link.cell.isSettled { try await link.waitUntilSettled() }
                guard !link.cell.isRejected else { throw link.cell.rejection.look() }
                return link.cell.value(as: Value.self)
            }
        }
    }
}

extension Link {
    /// Starts the promise and waits for its outcome, which the caller then reads where it lies.
    ///
    /// - Throws: `CancellationError` when the waiting task is cancelled.
    @usableFromInline
    func waitUntilSettled() async throws {
        let waiter = Link(Cell.waiter(for: cell))
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { (continuation: Cell.Waiting) in
                waiter.cell.put(work: continuation)
                if !waiter.cell.startHeld() { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            waiter.cell.cancel()
        }
    }
}

extension Cell {
    fileprivate typealias Waiting = UnsafeContinuation<Void, any Error>

    /// A handler that resumes a task, exactly once: when the outcome is there, or when it is cancelled.
    ///
    /// The continuation is of the unchecked kind because this is the check: whoever owns `payload` resumes it.
    fileprivate static func waiter(for upstream: Cell) -> Cell {
        Cell.make(
            Void.self, flags: Flags.held, upstream: upstream, origin: upstream.origin
        ) { cell, _, verb in
            switch verb {
            case .fire:
                let continuation = cell.takeWork(as: Waiting.self)
                cell.fulfill(())
                continuation.resume()
            case .release: cell.takeWork(as: Waiting.self).resume(throwing: CancellationError())
            case .interim, .dispose: break
            }
        }
    }
}
