/// The state of one feedback for one part of a system's state; it exists while the part is present.
///
/// Called only by the drain owner. If the state is `Equatable`, an event that does not concern the part, and leaves its
/// state equal, is not passed to the feedback.
final class ScopedFeedbackState<State: Sendable, Event: Sendable>: Sendable {
    private let inputs: FeedbackInputs
    private let decide: Feedback<State, Event>.Decide
    /// The last state, to detect changes; nil if the feedback does not need that.
    private let last: Memory<ValueBox<State>>?

    init(_ part: Feedback<State, Event>.Part, _ context: EffectContext<Event>) {
        (inputs, decide) = (part.inputs, part.make(context))
        last = part.skipsRepeated || !(State.self is any Equatable.Type) ? nil : Memory()
    }

    func answer(_ input: Feedback<State, Event>.Input) -> FeedbackDecision {
        guard inputs.accepts(input), isRelevant(input) else { return .unchanged }
        return decide(input)
    }

    private func isRelevant(_ input: Feedback<State, Event>.Input) -> Bool {
        guard let last, case .state(let state, let event) = input else { return true }
        guard let before = last.exchange(for: state), event == nil else { return true }
        return !areDynamicallyEqual(before.value, state.value)
    }
}

/// A feedback for a part that may be absent, or be replaced by another one: a ``ScopedFeedbackState`` for the part that is
/// present.
///
/// Called only by the drain owner.
final class PresentPart<State: Sendable, Event: Sendable>: Sendable {
    private struct Present: Sendable {
        let identity: PartIdentity
        let feedbackState: ScopedFeedbackState<State, Event>
        /// Whether it has taken the place of another part in this turn, whose event was for that one.
        var isSuccessor = false
    }

    private let part: Feedback<State, Event>.Part
    private let context: EffectContext<Event>
    private let present = Memory<Present>()

    init(_ part: Feedback<State, Event>.Part, _ context: EffectContext<Event>) {
        (self.part, self.context) = (part, context)
    }

    /// Passes an input to the feedback, which starts with an empty memory if the part is new.
    func answer(_ input: Feedback<State, Event>.Input) -> FeedbackDecision {
        let (before, identity) = (present.latest, PartIdentity(of: input.state))
        if var before, before.identity == identity {
            guard before.isSuccessor else { return before.feedbackState.answer(input) }
            if input.event != nil { return .unchanged }
            before.isSuccessor = false
            _ = present.exchange(for: before)
            return before.feedbackState.answer(input)
        }
        let feedbackState = ScopedFeedbackState(part, context)
        _ = present.exchange(
            for: Present(identity: identity, feedbackState: feedbackState, isSuccessor: before != nil))
        let answer = feedbackState.answer(input)
        return before == nil ? answer : .renew(answer)
    }

    /// Called for a state without the part.
    func answerAbsence() -> FeedbackDecision { present.forget() == nil ? .unchanged : .end }
}

/// Whether two values are equal; false if their type is not `Equatable`.
///
/// The conformance is looked up at run time, for callers that place no constraint on the type.
@usableFromInline
package func areDynamicallyEqual<Value>(_ left: Value, _ right: Value) -> Bool {
    guard let left = left as? any Equatable else { return false }
    return left.isEqual(to: right)
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool {
        guard let other = other as? Self else { return false }
        return self == other
    }
}
