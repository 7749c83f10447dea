internal import Promise

extension Source {
    /// Switches to the source that `transform` returns for the latest value, and delivers its values.
    ///
    /// A change of this source cancels the subscription to the previous inner source, whose values are no longer
    /// delivered. It ends when this source and the latest inner one have ended.
    ///
    /// - Parameter transform: Called once per value, where the owner delivers. Reading the value also calls it while
    ///   there are no subscribers, and while the owner notifies its subscribers. If two threads are the first to
    ///   subscribe at the same time, each may call it for the present value.
    public func flatMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Source<Output>
    ) -> Source<Output> {
        let read = { @Sendable [read] in transform(read()).read() }
        return Source<Output>(deliveringLike: identity.scheduler, isBehind: isNotifying, read: read) {
            [attach] subject in
            let inner = InnerSource(subject)
            subject.setBehind { [weak inner] in inner?.isNotifying ?? false }
            // Retains `inner` even if this source ends at once and releases the closures attached to it.
            subject.keep(SubscriptionToken(endsOnRelease: true) { inner.end() })
            subject.keep(
                attach(true, { value in inner.replace(by: transform(value)) }) {
                    inner.sourceEnded { $0.isOuterOver = true }
                })
        }
    }
}

/// The operator's subscription to the latest inner source.
private final class InnerSource<Value: Sendable>: Sendable {
    struct InnerState {
        /// The number of inner sources so far; values are accepted only from the one with the latest number.
        var number = 0
        var token: SubscriptionToken?
        var isNotifying: (@Sendable () -> Bool)?
        var isOver = false
        var isOuterOver = false
    }

    private let state = Lock(InnerState())
    private weak let subject: Subject<Value>?

    init(_ subject: Subject<Value>) { self.subject = subject }

    /// Whether the inner source may have a value that has not arrived here yet.
    var isNotifying: Bool { state.withLock { $0.isNotifying }?() ?? false }

    func replace(by source: Source<Value>) {
        let (number, previous) = state.withLock { state in
            state.number += 1
            state.isOver = false
            defer { state.isNotifying = source.isNotifying }
            return (state.number, state.isNotifying)
        }
        withExtendedLifetime(previous) {}
        // Subscribes before it cancels the previous one, so that an upstream that both share stays connected.
        let token = source.attach(true, { [weak self] value in self?.publish(value, from: number) }) {
            [weak self] in self?.sourceEnded { if $0.number == number { $0.isOver = true } }
        }
        state.withLock { state in
            defer { state.token = token }
            return state.token
        }?.cancel()
    }

    private func publish(_ value: Value, from number: Int) {
        let box = UntypedBox(value)
        subject?.publish { state.withLock { $0.number == number ? box : nil } }
    }

    /// Cancels the subscription to the latest inner source.
    func end() { state.withLock { $0.token.take() }?.cancel() }

    /// Notes the end of a source; the operator's result ends with the latest inner source and the outer one.
    func sourceEnded(_ note: (inout InnerState) -> Void) {
        let isOver = state.withLock { state in
            note(&state)
            return state.isOver && state.isOuterOver
        }
        if isOver { subject?.finish() }
    }
}
