/// What a feedback says of the work that it wants.
@usableFromInline
enum FeedbackDecision<Event: Sendable>: Sendable {
    case asBefore
    /// Exactly this is to be running.
    case keep(SmallArray<EffectRequest<Event>>)
    /// This is to start, by its policy, beside what is running.
    case start(EffectRequest<Event>)
    /// Nothing is to be running, and no window stays open: what it was for is gone.
    case end
    /// Of a feedback that works for each element of a collection: what it says of some of them.
    case each([Of])

    @usableFromInline
    struct Of: Sendable {
        let element: EffectKey
        let answer: FeedbackDecision
    }

    /// The same of work whose events become those of a whole, unless that declines.
    func lifted<Other: Sendable>(_ embed: @escaping @Sendable (Event) -> Other?) -> FeedbackDecision<Other> {
        switch self {
        case .asBefore: .asBefore
        case .keep(let requests): .keep(SmallArray(requests.all.map { $0.lifted(embed) }))
        case .start(let request): .start(request.lifted(embed))
        case .end: .end
        case .each(let answers):
            .each(answers.map { .init(element: $0.element, answer: $0.answer.lifted(embed)) })
        }
    }
}

/// What a feedback wants to be asked with.
@usableFromInline
enum FeedbackInputs: Sendable {
    case states, events, all

    @inlinable
    func accepts<State, Event>(_ input: Feedback<State, Event>.Input) -> Bool {
        switch (self, input) {
        case (.all, _), (.states, .state), (.events, .event): true
        case (.states, .event), (.events, .state): false
        }
    }
}

/// What a feedback's next answer depends on, apart from what it is asked with and what it has asked for.
@usableFromInline
package enum FeedbackMemory: Sendable {
    /// The settled state.
    case ofStates
    /// The event before.
    case ofLastEvent
    /// Any of the events before.
    case ofEvents

    /// That of the same feedback where it hears some of the events.
    var lifted: FeedbackMemory { if case .ofStates = self { .ofStates } else { .ofEvents } }
}
