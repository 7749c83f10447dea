internal import Promise

// For screens whose state is not optional, such as a row, a sheet or a destination.
extension ScopedSystem {
    /// This system with a non-optional state; nil while the state is nil.
    ///
    /// Use it for a row or a sheet whose state is not optional. When the part becomes nil, or is replaced by one with
    /// another `id`, the result keeps the part's last state, so that the screen can be drawn until it has disappeared,
    /// and drops events from then on: the next part gets nothing from the screen of this one. Call this again for the
    /// next part.
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
    /// Subscribers of the result are not notified when the part ends; subscribers of this system are.
    public func unwrapped<Value>() -> ScopedSystem<Value, Event>? where State == Value? {
        settled.value.map { value in
            let part = place.identity(of: value)
            return unwrapped(
                LastValue(value, of: settled) { [place] in part != nil && place.identity(of: $0) == part })
        }
    }

    /// This system with a non-optional state, which keeps the last value while the state is nil. Unlike
    /// ``unwrapped()``, it follows each part that comes.
    ///
    /// - Parameter initial: The state until the first non-nil value.
    public func unwrapped<Value: Sendable>(or initial: Value) -> ScopedSystem<Value, Event>
    where State == Value? {
        unwrapped(LastValue(initial, of: settled))
    }

    private func unwrapped<Value>(_ last: LastValue<Value>) -> ScopedSystem<Value, Event>
    where State == Value? {
        let isOver: @Sendable () -> Bool = { [settled, place] in
            place.isOver || last.follow(settled.read()) == nil
        }
        let own = last.isSamePart.map { _ in PartHandle(isOver: isOver) }
        return ScopedSystem<Value, Event>(
            settled: settled.unwrapped(or: { last.value }, last.follow),
            shown: { [makeShown] in
                makeShown().unwrapped(or: { .settled(last.value) }) { shown in
                    last.follow(shown.state).map { state in shown.map { _ in state } }
                }
            }, place: own.map { PartPlace.of($0) } ?? place
        ) { [send] event, origin, handle in
            if !isOver() { send(event, origin, handle ?? own) }
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
    private struct LastValueState: Sendable {
        var value: Value
        var hasEnded = false
        var token: SubscriptionToken?
    }

    private let state: Lock<LastValueState>
    /// Whether a value is one of the part whose last value this is; nil if any part is followed.
    let isSamePart: (@Sendable (Value) -> Bool)?

    init(_ initial: Value, of source: Source<Value?>, isSamePart: (@Sendable (Value) -> Bool)? = nil) {
        state = Lock(LastValueState(value: initial))
        self.isSamePart = isSamePart
        let token = source.attach(
            true,
            { [weak self] value in
                guard let self else { return }
                if let value = follow(value) { store(value) } else if isSamePart != nil { end() }
            }, {})
        state.withLock { $0.token = token }
    }

    var value: Value { state.withLock { $0.value } }

    /// The value, if it is one of the part whose last value this is.
    func follow(_ value: Value?) -> Value? {
        guard let value, let isSamePart else { return value }
        return isSamePart(value) && !state.withLock { $0.hasEnded } ? value : nil
    }

    private func end() { state.withLock { $0.hasEnded = true } }

    private func store(_ value: Value) {
        let previous = state.withLock { state in
            defer { state.value = value }
            return state.value
        }
        // Released outside the lock, because its deinitializer may re-enter.
        withExtendedLifetime(previous) {}
    }
}
