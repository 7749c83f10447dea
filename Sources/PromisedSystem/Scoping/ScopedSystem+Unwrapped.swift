internal import Promise

// For screens whose state is not optional, such as a row, a sheet or a destination.
extension ScopedSystem {
    /// This system with a non-optional state; nil while the state is nil.
    ///
    /// Use it for a row or a sheet whose state is not optional. When the part becomes nil, the result keeps the part's
    /// last state, so that the screen can be drawn until it has disappeared; events are dropped then. If the part
    /// becomes non-nil again, the result shows the new state.
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
    /// Subscribers of the result are not notified when the part becomes nil; subscribers of this system are.
    public func unwrapped<Value>() -> ScopedSystem<Value, Event>? where State == Value? {
        settled.value.map { unwrapped(or: $0) }
    }

    /// This system with a non-optional state, which keeps the last value while the state is nil; see ``unwrapped()``.
    ///
    /// - Parameter initial: The state until the first non-nil value.
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
    /// A source of the unwrapped values.
    ///
    /// - Parameters:
    ///   - last: Returns the last unwrapped value, to be read, and replayed to new subscribers, while the current value
    ///     is nil.
    ///   - unwrap: Unwraps a value; nil results are not delivered.
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

/// The last non-nil value of an optional part.
private final class LastValue<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value
        var token: SubscriptionToken?
    }

    private let state: Lock<State>

    init(_ initial: Value, of source: Source<Value?>) {
        state = Lock(State(value: initial))
        let token = source.attach(true, { [weak self] value in if let value { self?.store(value) } }, {})
        state.withLock { $0.token = token }
    }

    var value: Value { state.withLock { $0.value } }

    private func store(_ value: Value) {
        let previous = state.withLock { state in
            defer { state.value = value }
            return state.value
        }
        // Released outside the lock, because its deinitializer may re-enter.
        withExtendedLifetime(previous) {}
    }
}
