internal import Promise

// For screens whose state is not optional: a row, a sheet, a destination.
extension ScopedSystem {
    /// The same of what is there; nil while there is nothing.
    ///
    /// For a row or a sheet whose state is not optional. When its part goes, it keeps the last state of it, so that
    /// there is something to draw until the screen has gone too; events are not sent then. Of a part that comes back it
    /// shows the new state.
    ///
    /// ```swift
    /// struct Shop { var sheet: Int? = 3 }
    /// enum Event { case sheet(Int), close }
    ///
    /// let sheet = Scope(
    ///     state: \Shop.sheet,
    ///     event: CasePath(embed: Event.sheet) { if case .sheet(let number) = $0 { number } else { nil } })
    /// let shop = System(
    ///     initialState: Shop(), scheduler: .immediate,
    ///     reducer: Reducer<Shop, Event> { shop, event in if case .close = event { shop.sheet = nil } })
    /// if let screen = shop.scoped(by: sheet).unwrapped() {
    ///     shop.sendEvent(.close)
    ///     print(screen.state)
    /// }
    /// ```
    ///
    /// Readers of its sources are not notified that the part has gone; those of this one are.
    public func unwrapped<Value>() -> ScopedSystem<Value, Event>? where State == Value? {
        settled.value.map { unwrapped(or: $0) }
    }

    /// The same of what is there, and what was there last; see ``unwrapped()``.
    ///
    /// - Parameter initial: The state while nothing has been there yet.
    public func unwrapped<Value: Sendable>(or initial: Value) -> ScopedSystem<Value, Event>
    where State == Value? {
        let last = LastValue(initial, of: settled)
        return ScopedSystem<Value, Event>(
            settled: settled.unwrapped(or: { last.value }) { $0 },
            shown: { [makeShown] in
                makeShown().unwrapped(or: { .settled(last.value) }) { shown in
                    shown.state.map { state in shown.map { _ in state } }
                }
            }
        ) { [send, settled] event, origin in
            if settled.read() != nil { send(event, origin) }
        }
    }
}

extension Source {
    /// What there is in every value.
    ///
    /// - Parameter unwrap: What there is in a value; nil for nothing, which is not passed on.
    fileprivate func unwrapped<Output: Sendable>(
        or last: @escaping @Sendable () -> Output, _ unwrap: @escaping @Sendable (Value) -> Output?
    ) -> Source<Output> {
        Source<Output>(
            identity: identity.part(at: .unwrapped), read: { [read] in unwrap(read()) ?? last() },
            isNotifying: isNotifying
        ) { [attach] replayCurrent, body, onEnd in
            let isReplay = Lock(replayCurrent)
            return attach(
                replayCurrent,
                { value in
                    let isReplay = isReplay.withLock { isReplay in
                        defer { isReplay = false }
                        return isReplay
                    }
                    if let output = unwrap(value) ?? (isReplay ? last() : nil) { body(output) }
                }, onEnd)
        }
    }
}

/// The last value of a part that need not be there.
private final class LastValue<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value
        var token: SubscriptionToken?
    }

    private let state: Lock<State>

    init(_ initial: Value, of source: Source<Value?>) {
        state = Lock(State(value: initial))
        let token = source.attach(true, { [weak self] value in if let value { self?.note(value) } }, {})
        state.withLock { $0.token = token }
    }

    var value: Value { state.withLock { $0.value } }

    private func note(_ value: Value) {
        let before = state.withLock { state in
            defer { state.value = value }
            return state.value
        }
        // Its end must not come under the lock: it may call back.
        withExtendedLifetime(before) {}
    }
}
