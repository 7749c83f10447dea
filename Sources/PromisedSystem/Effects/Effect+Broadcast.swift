extension Effect {
    /// Delivers a value to the running work of a key, whichever feedback asked for it; nothing where there is none.
    ///
    /// ```swift
    /// enum Event: Sendable { case open(Int), say(String), heard(String) }
    ///
    /// let socket = Feedback<[String], Event>.onEvent(
    ///     { if case .open(let port) = $0 { port } else { nil } }, key: { _ in "socket" }
    /// ) { port in
    ///     Effect<Event> { effect in
    ///         effect.onBroadcast(of: String.self) { effect.send(.heard("\(port): \($0)")) }
    ///     }
    /// }
    /// let talking = Feedback<[String], Event>.onEvent(
    ///     { if case .say(let text) = $0 { text } else { nil } }
    /// ) { text in Effect<Event>.broadcast(text, to: "socket") }
    /// ```
    ///
    /// Work that was asked for before hears it, and listens with ``EffectHandle/onBroadcast(of:_:)``; work without a
    /// key cannot be meant. Work for an element of a collection reaches what was started for the same element, or inside
    /// it, as with ``cancel(_:)``.
    ///
    /// - Parameters:
    ///   - value: What to deliver, to those that listen to its type.
    ///   - key: Whom to deliver it to.
    public static func broadcast(_ value: some Sendable, to key: EffectKey) -> Effect {
        Effect { effect in
            effect.context.broadcast(value, key, effect.run)
            effect.finish()
        }
    }
}

extension EffectHandle {
    /// Calls `action` with every value of a type that is delivered to the key of the work by
    /// ``Effect/broadcast(_:to:)``, from now on until the work is over; on the system's scheduler.
    ///
    /// - Parameters:
    ///   - type: Values of other types are not for this action.
    ///   - action: Every call adds one; they are called in the order in which they were added.
    public func onBroadcast<Value: Sendable>(
        of type: Value.Type = Value.self, _ action: @escaping @Sendable (Value) -> Void
    ) {
        run.onBroadcast { [part] value in
            if part?.isOver != true, let value = value as? Value { action(value) }
        }
    }
}

extension RunningEffects {
    /// Delivers a value to the work of a key that was asked for before a run, as far as that may reach.
    @usableFromInline
    func broadcast(_ value: any Sendable, to key: EffectKey, from run: EffectRun) {
        // Of an element that has gone meanwhile.
        guard !run.isCancelled else { return }
        let own = paths[run.name.feedback] ?? []
        var meant: [EffectRun] = []
        for feedback in registry.slots.indices where (paths[feedback] ?? []).starts(with: own) {
            registry.slots[feedback].change(key) { slot in
                meant += slot.runs.all.filter { $0.asked < run.number }
                return false
            }
        }
        for run in meant.sorted(by: { $0.number < $1.number }) { run.receive(value) }
    }
}
