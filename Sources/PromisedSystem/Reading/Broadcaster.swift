internal import Promise

/// A current value and those who want to hear of every change, in one order for all.
final class Broadcaster<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var subscribers: [Subscriber] = []
        var isOver = false
    }

    private let state: Lock<State>

    private let onOwnersPlace: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameter onOwnersPlace: Runs work where the owner delivers, right here if this is the place.
    init(_ value: Value, onOwnersPlace: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        state = Lock(State(value: value))
        self.onOwnersPlace = onOwnersPlace
    }

    var value: Value { state.withLock { $0.value } }

    /// A change that has been made, and those who were there and are to be told of it.
    struct Change: Sendable {
        let value: Value
        fileprivate let subscribers: [Subscriber]

        func tell() { for subscriber in subscribers { subscriber.deliver(value) } }
    }

    /// Makes `value` the current one; telling the subscribers is the caller's next step.
    func change(to value: Value) -> Change {
        let (_, subscribers) = state.withLock { state in
            defer { state.value = value }
            // The old value leaves with the result: its end must not come under the lock.
            return (state.value, state.subscribers)
        }
        return Change(value: value, subscribers: subscribers)
    }

    /// Ends every subscription; the value stays readable.
    func finish() {
        let subscribers = state.withLock { state in
            defer { state.subscribers = [] }
            state.isOver = true
            return state.subscribers
        }
        for subscriber in subscribers { subscriber.finish() }
    }

    /// - Parameters:
    ///   - body: Told every value, and whether it is the one that was there already: that one first if
    ///     `replayCurrent`, before this returns.
    ///   - onEnd: Told once when there will be no more.
    func subscribe(
        replayCurrent: Bool, _ body: @escaping @Sendable (Value, _ isReplay: Bool) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        let subscriber = Subscriber(body, onEnd)
        let isOver = state.withLock { state in
            // Both under the lock: no change falls between the current value and the next.
            if replayCurrent { subscriber.keep(state.value, isReplay: true) }
            if !state.isOver { state.subscribers.append(subscriber) }
            return state.isOver
        }
        subscriber.replay(then: onOwnersPlace)
        if isOver { subscriber.finish() }
        // Weak: a token that outlives the owner keeps no closure alive.
        return SubscriptionToken(endsOnRelease: true) { [weak self, weak subscriber] in
            guard let subscriber else { return }
            subscriber.retire()
            self?.state.withLock { $0.subscribers.removeAll { $0 === subscriber } }
        }
    }

    /// One subscription: told one value at a time, in order, whoever brings them.
    fileprivate final class Subscriber: Sendable {
        private struct Mail {
            var values = FIFO<(Value, isReplay: Bool)>()
            var isDelivering = false
            /// There will be no more values; what is there is told, then the end.
            var isOver = false
            var isRetired = false

            /// Empties the mail; the values leave, because their end must not come under the lock.
            mutating func takeValues() -> FIFO<(Value, isReplay: Bool)> {
                defer { values.removeAll() }
                return values
            }
        }

        private enum Step {
            case tell(Value, isReplay: Bool)
            case end
            case rest
        }

        private let body: @Sendable (Value, Bool) -> Void
        private let onEnd: @Sendable () -> Void
        private let mail = Lock(Mail())

        init(_ body: @escaping @Sendable (Value, Bool) -> Void, _ onEnd: @escaping @Sendable () -> Void) {
            self.body = body
            self.onEnd = onEnd
        }

        func keep(_ value: Value, isReplay: Bool) {
            mail.withLock { mail in
                guard !mail.isOver, !mail.isRetired else { return }
                mail.values.append((value, isReplay))
            }
        }

        func deliver(_ value: Value) {
            keep(value, isReplay: false)
            deliver()
        }

        func deliver() {
            let isFirst = mail.withLock { mail in
                defer { mail.isDelivering = true }
                return !mail.isDelivering
            }
            if isFirst { work() }
        }

        /// Tells the value that was there at the beginning, here; what came meanwhile, where the owner delivers.
        func replay(then onOwnersPlace: (@escaping @Sendable () -> Void) -> Void) {
            let first = mail.withLock { mail in
                mail.isDelivering = true
                return mail.values.popFirst()
            }
            if let (value, isReplay) = first { body(value, isReplay) }
            if hasMore() { onOwnersPlace { self.work() } }
        }

        /// Whether there is something to tell; the one that asks goes on with it, or has nothing more to do.
        private func hasMore() -> Bool {
            mail.withLock { mail in
                let hasMore = !mail.isRetired && (!mail.values.isEmpty || mail.isOver)
                mail.isDelivering = hasMore
                return hasMore
            }
        }

        private func work() {
            while true {
                switch next() {
                case .tell(let value, let isReplay): body(value, isReplay)
                case .end: onEnd()
                case .rest: return
                }
            }
        }

        private func next() -> Step {
            mail.withLock { mail in
                if !mail.isRetired {
                    if let (value, isReplay) = mail.values.popFirst() {
                        return .tell(value, isReplay: isReplay)
                    }
                    if mail.isOver {
                        mail.isRetired = true
                        return .end
                    }
                }
                mail.isDelivering = false
                return .rest
            }
        }

        /// Tells nothing any more.
        func retire() {
            _ = mail.withLock { mail in
                mail.isRetired = true
                return mail.takeValues()
            }
        }

        /// Tells no change any more, but still the value that was there at the beginning, and then the end.
        func finish() {
            _ = mail.withLock { mail in
                mail.isOver = true
                var dropped = mail.takeValues()
                // It can only be the first.
                if let first = dropped.popFirst(), first.isReplay { mail.values.append(first) }
                return dropped
            }
            deliver()
        }
    }
}
