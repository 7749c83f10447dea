internal import Promise

extension Source {
    /// The value of the source that `transform` makes of the latest value.
    ///
    /// A change here replaces that source by another: the one before is unsubscribed, and its values arrive no
    /// more. It ends when this source and the latest inner one have ended.
    ///
    /// - Parameter transform: Called once for each value, where the owner delivers. Reading the value calls it while
    ///   there is no subscriber, and while the owner notifies its subscribers.
    public func flatMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Source<Output>
    ) -> Source<Output> {
        let latest = Latest<Output>()
        let isBehind = { @Sendable [isNotifying] in isNotifying?() ?? false || latest.isNotifying }
        let read = { @Sendable [read] in transform(read()).read() }
        return Source<Output>(deliveringLike: identity.scheduler, isBehind: isBehind, read: read) {
            [attach] broadcaster in
            let inner = InnerSource(broadcaster)
            latest.become(inner)
            // Also when this source ends at once, and keeps nothing of what was attached to it.
            broadcaster.keep(SubscriptionToken(endsOnRelease: true) { inner.end() })
            broadcaster.keep(
                attach(true, { value in inner.replace(by: transform(value)) }) { inner.outerEnded() })
        }
    }
}

/// The source that a flat map listens to, for those who read it.
private final class Latest<Value: Sendable>: Sendable {
    private struct State {
        weak var inner: InnerSource<Value>?
    }

    private let state = Lock(State())

    /// Whether it has a value that may not have come to the flat map yet.
    var isNotifying: Bool { state.withLock { $0.inner }?.isNotifying ?? false }

    func become(_ inner: InnerSource<Value>) { state.withLock { $0.inner = inner } }
}

/// The source that a flat map listens to at present.
private final class InnerSource<Value: Sendable>: Sendable {
    private struct State {
        /// Counts the sources; the latest is the one that is heard.
        var number = 0
        var token: SubscriptionToken?
        var isNotifying: (@Sendable () -> Bool)?
        var isOver = false
        var isOuterOver = false
    }

    private let state = Lock(State())
    private weak let broadcaster: Broadcaster<Value>?

    init(_ broadcaster: Broadcaster<Value>) { self.broadcaster = broadcaster }

    /// Whether the source has a value that may not have come here yet.
    var isNotifying: Bool { state.withLock { $0.isNotifying }?() ?? false }

    func replace(by source: Source<Value>) {
        let (number, past) = state.withLock { state in
            state.number += 1
            state.isOver = false
            defer { state.isNotifying = source.isNotifying }
            return (state.number, state.isNotifying)
        }
        withExtendedLifetime(past) {}
        // The new one first: what both of them stem from then goes on without a break.
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

    /// Unsubscribes from the latest.
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
