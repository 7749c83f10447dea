extension Effect {
    /// Delivers a value to all running work under a key, in every feedback. It is a no-op if there is none.
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
    /// Only work requested before this effect receives the value, through ``EffectHandle/onBroadcast(of:_:)``. Work
    /// without a key cannot be addressed. If this effect is started for an element of a collection, it only reaches
    /// work started for the same element or for elements inside it, as with ``cancel(_:)``.
    ///
    /// - Parameters:
    ///   - value: The value to deliver, to handlers registered for its type.
    ///   - key: The key of the work that receives the value.
    public static func broadcast(_ value: some Sendable, to key: EffectKey) -> Effect {
        Effect { effect in
            effect.context.port.broadcast(value, to: key, from: effect.run)
            effect.finish()
        }
    }
}

extension EffectHandle {
    /// Calls `action` with every value of this type that is delivered to the key of this work by
    /// ``Effect/broadcast(_:to:)``, from now on until the work ends. It is called on the system's scheduler.
    ///
    /// - Parameters:
    ///   - type: The type of value to receive; values of other types are ignored.
    ///   - action: Called with each value. Several actions can be added; they are called in the order in which they
    ///     were added.
    public func onBroadcast<Value: Sendable>(
        of type: Value.Type = Value.self, _ action: @escaping @Sendable (Value) -> Void
    ) {
        run.onBroadcast { [part] value in
            if part?.isOver != true, let value = value as? Value { action(value) }
        }
    }
}

extension RunningEffects {
    /// Delivers a value to the work under a key that was requested before the broadcasting run. A broadcast from an
    /// element reaches only work of the same element or of elements inside it.
    func broadcast(_ value: any Sendable, to key: EffectKey, from run: EffectRun) {
        // The element of the broadcasting run was removed before the broadcast was processed.
        guard !run.isCancelled else { return }
        var receivers: [EffectRun] = []
        for feedback in registry.slots.indices where isInside(feedback, of: run) {
            registry.slots[feedback].change(key) { slot in
                receivers += slot.runs.all.filter { $0.requestNumber < run.number }
                return false
            }
        }
        receivers.sort { $0.number < $1.number }
        probe?.broadcasts(from: run.number, to: receivers.map(\.number))
        for run in receivers { run.receive(value) }
    }
}
