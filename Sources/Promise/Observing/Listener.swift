/// One iteration over the updates of a promise: applies the state machine ``Listening`` under a lock, and resumes
/// tasks and cancels observations outside it.
final class Listener<Value: Sendable>: Sendable {
    private let promise: Promise<Value>
    private let listening = Lock(Listening<Value>())

    init(_ promise: Promise<Value>) { self.promise = promise }

    func next(isolation actor: isolated (any Actor)?) async throws -> ValueBox<Value>? {
        try await withTaskCancellationHandler {
            begin()
            if case .now(let result) = listening.withLock({ $0.answer() }) { return try result.get() }
            return try await withCheckedThrowingContinuation(isolation: actor) { continuation in
                guard case .now(let result) = listening.withLock({ $0.answer(continuation) }) else { return }
                continuation.resume(with: result)
            }
        } onCancel: {
            stop(with: .failure(CancellationError()))
        }
    }

    private func begin() {
        guard listening.withLock({ $0.begin() }) else { return }
        for leadingInterim in promise.leadingBoxes { receive(.interim(leadingInterim)) }
        let observation = promise.observe { [self] in receive($0) }
        listening.withLock { $0.keep(observation) }?.cancel()
    }

    private func receive(_ update: Update<Value>) { listening.withLock { $0.receive(update) }?() }

    func stop(with end: Result<ValueBox<Value>?, any Error> = .success(nil)) {
        let released = listening.withLock { $0.stop(with: end) }
        released?.observation?.cancel()
        released?.wake?()
    }
}
