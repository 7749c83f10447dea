internal import Promise

/// The feedbacks of one system, and the work that they keep running. Accessed only by the owner of the loop.
@usableFromInline
final class RunningFeedbacks<State: Sendable, Event: Sendable>: RunningEffects {
    @usableFromInline
    struct RunningPart: Sendable {
        @usableFromInline let inputs: FeedbackInputs
        @usableFromInline let decide: Feedback<State, Event>.Decide
    }

    @exclusivity(unchecked) @usableFromInline var parts: [RunningPart]
    @usableFromInline var hasVacated: Bool { !sharedKeys.vacated.isEmpty }

    @inlinable
    convenience init(_ feedback: Feedback<State, Event>, _ host: some EffectHost<Event>) {
        self.init(feedback, host.scheduler, feedback.origins.map { EffectContext(host, $0) })
    }

    @usableFromInline
    init(
        _ feedback: Feedback<State, Event>, _ scheduler: any SerialScheduler,
        _ contexts: [EffectContext<Event>]
    ) {
        parts = zip(feedback.parts, contexts).map { part, context in
            RunningPart(inputs: part.inputs, decide: part.make(context))
        }
        super.init(
            scheduler, origins: feedback.origins, memories: feedback.parts.map { $0.memory },
            places: feedback.parts.map { $0.place })
    }

    /// Passes an input to every feedback, and applies its decision.
    ///
    /// - Returns: Whether a feedback has decided anything.
    @inlinable @discardableResult
    func ask(_ input: Feedback<State, Event>.Input, _ host: some EffectHost<Event>) -> Bool {
        var isAnswered = false
        for index in parts.indices where parts[index].inputs.accepts(input) && !host.isOver {
            if let probe { probe.evaluates(index, forEvent: input.event != nil) }
            let answer = parts[index].decide(input)
            probe?.hasEvaluated()
            switch answer {
            case .unchanged: continue
            case .repeated: break
            case .keep(let requests): keep(requests, index, host)
            case .start(let request): begin(request, index, host)
            case .end, .renew, .each: follow(answer, index, host)
            }
            isAnswered = true
        }
        if hasVacated { startVacated(host) }
        return isAnswered
    }
}
