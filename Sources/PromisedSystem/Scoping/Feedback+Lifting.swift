internal import Promise

// Work of a part, kept running by the whole.
extension Feedback {
    /// The same feedback for the whole that this state is a part of: it sees the part of every state, and the events
    /// that mean something to it.
    ///
    /// An event that means nothing to the part, and leaves its state equal, starts and restarts nothing, in any form.
    /// Where the state is not `Equatable`, every event counts as a change of it, and forms that start anew whenever they
    /// are asked do so.
    ///
    /// - Parameter scope: The way to the part. Events that it declines to embed are not sent.
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State, Event>
    ) -> Feedback<Whole, WholeEvent> {
        Feedback<Whole, WholeEvent>(
            parts: parts.map { part in
                .init(part.origin, part.hearing, part.memory.lifted, skipsRepeated: part.skipsRepeated) {
                    let life = ScopedFeedbackState(part)
                    return { _, input in
                        input.local(scope).map { life.answer($0).lifted(scope.embed) } ?? .asBefore
                    }
                }
            })
    }

    /// The same feedback for a state that need not be there: then nothing is running. One that comes back begins anew.
    public var optional: Feedback<State?, Event> {
        Feedback<State?, Event>(
            parts: parts.map { part in
                // It looks at states as well, whatever it was made for: to end with its part.
                .init(part.origin, .all, part.memory.lifted, skipsRepeated: part.skipsRepeated) {
                    let life = Memory<ScopedFeedbackState<State, Event>>()
                    return { _, input in
                        guard let local = input.unwrapped() else {
                            guard case .state = input, life.forget() != nil else {
                                return .asBefore
                            }
                            return .end
                        }
                        let present = life.value.withLock { $0 } ?? ScopedFeedbackState(part)
                        _ = life.exchange(for: present)
                        return present.answer(local)
                    }
                }
            })
    }

    /// The same feedback for an optional part of a whole.
    ///
    /// - Parameter scope: The way to the part. While it is not there, nothing is running.
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State?, Event>
    ) -> Feedback<Whole, WholeEvent> {
        optional.lifted(by: scope)
    }

    /// The same feedback for every element of a collection: each has work of its own, which ends with it.
    ///
    /// - Parameter elements: The way to them. Of several elements with one identity the first counts.
    public func lifted<Whole, WholeEvent, ID>(
        byEach elements: Elements<Whole, WholeEvent, ID, State, Event>
    ) -> Feedback<Whole, WholeEvent> {
        Feedback<Whole, WholeEvent>(
            parts: parts.map { part in
                .init(part.origin, .all, part.memory.lifted, skipsRepeated: part.skipsRepeated) {
                    let lives = ElementFeedbackStates(part, elements)
                    return { _, input in lives.answer(input) }
                }
            })
    }
}

extension Feedback.Input {
    fileprivate func local<Local, LocalEvent>(
        _ scope: Scope<State, Event, Local, LocalEvent>
    ) -> Feedback<Local, LocalEvent>.Input? {
        switch self {
        case .state(let whole, let event):
            .state(ValueBox(scope.get(whole.value)), after: event.flatMap(scope.extract))
        case .event(let event, let whole):
            scope.extract(event).map { .event($0, ValueBox(scope.get(whole.value))) }
        }
    }

    fileprivate func unwrapped<Part>() -> Feedback<Part, Event>.Input? where State == Part? {
        switch self {
        case .state(let part, let event): part.value.map { .state(ValueBox($0), after: event) }
        case .event(let event, let part): part.value.map { .event(event, ValueBox($0)) }
        }
    }
}

extension EffectRequest {
    /// The same request, whose work sends what `embed` makes of its events, unless that declines.
    func lifted<Other: Sendable>(_ embed: @escaping @Sendable (Event) -> Other?) -> EffectRequest<Other> {
        EffectRequest<Other>(
            key: key, revision: revision, policy: policy, work: { [work] in work().lifted(embed) },
            update: update, isKnownByKey: isKnownByKey)
    }
}

extension Effect {
    func lifted<Other: Sendable>(_ embed: @escaping @Sendable (Event) -> Other?) -> Effect<Other> {
        Effect<Other> { effect in
            begin(
                EffectHandle(
                    run: effect.run, context: effect.context.compactMap(embed), part: SubEffect(effect.end)))
        }
    }
}
