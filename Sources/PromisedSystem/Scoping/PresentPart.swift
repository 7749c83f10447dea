internal import Promise

/// A feedback for a part that may be absent, or be replaced by another one: a ``ScopedFeedbackState`` for the part that
/// is present.
///
/// Called only by the owner of the loop.
final class PresentPart<State: Sendable, Event: Sendable>: Sendable {
    private struct Present: Sendable {
        /// Nil while a part that contains it is absent.
        let identity: PartIdentity?
        let feedbackState: ScopedFeedbackState<State, Event>
        /// Whether it has taken the place of another part in this turn, whose event was for that one.
        var isSuccessor = false
    }

    private let part: Feedback<State, Event>.FeedbackPart
    private let context: EffectContext<Event>
    private let present = Memory<Present>()

    init(_ part: Feedback<State, Event>.FeedbackPart, _ context: EffectContext<Event>) {
        (self.part, self.context) = (part, context)
    }

    /// Passes an input to the feedback, which starts with an empty memory if the part is new.
    func answer(
        _ input: Feedback<State, Event>.Input, inside whole: PartIdentity? = PartIdentity.none
    ) -> FeedbackDecision {
        let (before, identity) = (present.latest, whole.map { PartIdentity(of: input.state).inside($0) })
        if var before, before.identity == identity {
            guard before.isSuccessor else { return before.feedbackState.answer(input) }
            if input.event != nil { return .unchanged }
            before.isSuccessor = false
            _ = present.exchange(for: before)
            return before.feedbackState.answer(input)
        }
        let feedbackState = ScopedFeedbackState(part, context)
        _ = present.exchange(
            for: Present(
                identity: identity, feedbackState: feedbackState, isSuccessor: before?.identity != nil))
        let answer = feedbackState.answer(input)
        return before == nil ? answer : .renew(answer)
    }

    /// Called for a state without the part.
    func answerAbsence() -> FeedbackDecision { present.forget() == nil ? .unchanged : .end }
}
