extension Promise {
    /// The value, once it is there; starts the promise.
    ///
    /// A promise that has settled is read without suspending. Cancelling the task that waits withdraws its
    /// interest, and ends the wait at once.
    ///
    /// - Throws: The error of the promise; `CancellationError` when the waiting task is cancelled.
    public var value: Value {
        get async throws {
            switch storage {
            case .fulfilled(let value): return value
            case .rejected(let rejection): throw rejection.look()
            case .cell(let link):
                if link.cell.isSettled { return try link.cell.outcome(of: Value.self).result.get() }
                return try await wait()
            }
        }
    }

    private func wait() async throws -> Value {
        let waiter = Waiter<Value>()
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                waiter.begin(continuation) { observe { [waiter] in waiter.hear($0) } }
            }
        } onCancel: {
            waiter.cancel()
        }
    }
}

/// A task that waits for a promise: resumed exactly once, by the outcome or by its own cancellation.
///
/// The continuation is of the unchecked kind because this is the check: it leaves `state` when it is resumed.
private final class Waiter<Value: Sendable>: Sendable {
    private enum State {
        case idle
        case waiting(UnsafeContinuation<Value, any Error>, Observation?)
        case over
    }

    private let state = Lock(State.idle)

    func begin(_ continuation: UnsafeContinuation<Value, any Error>, _ observe: () -> Observation) {
        let isOver = state.withLock { state in
            guard case .idle = state else { return true }
            state = .waiting(continuation, nil)
            return false
        }
        guard !isOver else { return continuation.resume(throwing: CancellationError()) }
        let observation = observe()
        let isLate = state.withLock { state in
            guard case .waiting(let continuation, nil) = state else { return true }
            state = .waiting(continuation, observation)
            return false
        }
        // Settled meanwhile, or cancelled: then the interest is withdrawn here.
        if isLate { observation.cancel() }
    }

    func hear(_ update: Update<Value>) {
        guard case .outcome(let outcome) = update else { return }
        finish()?.continuation.resume(with: outcome.result)
    }

    func cancel() {
        guard let (continuation, observation) = finish() else { return }
        observation?.cancel()
        continuation.resume(throwing: CancellationError())
    }

    private func finish() -> (continuation: UnsafeContinuation<Value, any Error>, Observation?)? {
        state.withLock { state in
            defer { state = .over }
            guard case .waiting(let continuation, let observation) = state else { return nil }
            return (continuation, observation)
        }
    }
}
