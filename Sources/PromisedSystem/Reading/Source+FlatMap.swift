internal import Promise

extension Source {
    /// Switches to the source that `transform` returns for the latest value, and delivers its values.
    ///
    /// A change of this source cancels the subscription to the previous inner source, whose values are no longer
    /// delivered. It ends when this source and the latest inner one have ended.
    ///
    /// - Parameter transform: Called once per value, where the owner delivers. Reading the value also calls it while
    ///   there are no subscribers, and while the owner notifies its subscribers.
    public func flatMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Source<Output>
    ) -> Source<Output> {
        let latest = Latest<Output>()
        let isBehind = { @Sendable [isNotifying] in isNotifying?() ?? false || latest.isNotifying }
        let read = { @Sendable [read] in transform(read()).read() }
        return Source<Output>(deliveringLike: identity.scheduler, isBehind: isBehind, read: read) {
            [attach] broadcaster in
            let inner = InnerSource(broadcaster)
            latest.set(inner)
            // Retains `inner` even if this source ends at once and releases the closures attached to it.
            broadcaster.keep(SubscriptionToken(endsOnRelease: true) { inner.end() })
            broadcaster.keep(
                attach(true, { value in inner.replace(by: transform(value)) }) { inner.outerEnded() })
        }
    }
}

/// A weak reference to the inner source of the present connection, for reads of the operator's result.
private final class Latest<Value: Sendable>: Sendable {
    private struct State {
        weak var inner: InnerSource<Value>?
    }

    private let state = Lock(State())

    /// Whether the inner source may have a value that has not arrived at the operator yet.
    var isNotifying: Bool { state.withLock { $0.inner }?.isNotifying ?? false }

    func set(_ inner: InnerSource<Value>) { state.withLock { $0.inner = inner } }
}

/// The operator's subscription to the latest inner source.
private final class InnerSource<Value: Sendable>: Sendable {
    private struct State {
        /// The number of inner sources so far; values are accepted only from the one with the latest number.
        var number = 0
        var token: SubscriptionToken?
        var isNotifying: (@Sendable () -> Bool)?
        var isOver = false
        var isOuterOver = false
    }

    private let state = Lock(State())
    private weak let broadcaster: Broadcaster<Value>?

    init(_ broadcaster: Broadcaster<Value>) { self.broadcaster = broadcaster }

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
            [weak self] in self?.innerEnded(number)
        }
        let before = state.withLock { state in
            defer { state.token = token }
            return state.token
        }
        before?.cancel()
    }

    private func publish(_ value: Value, from number: Int) {
        let box = ValueBox(value)
        broadcaster?.publish { state.withLock { $0.number == number ? box : nil } }
    }

    private func innerEnded(_ number: Int) {
        end { state in
            guard state.number == number else { return false }
            state.isOver = true
            return state.isOuterOver
        }
    }

    /// Cancels the subscription to the latest inner source.
    func end() { state.withLock { $0.token.take() }?.cancel() }

    func outerEnded() {
        end { state in
            state.isOuterOver = true
            return state.isOver
        }
    }

    private func end(_ isLast: (inout State) -> Bool) {
        if state.withLock({ isLast(&$0) }) { broadcaster?.finish() }
    }
}
