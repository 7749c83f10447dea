/// The state of one feedback for one part of a system's state; it exists while the part is present.
///
/// Called only by the owner of the loop. If the state is `Equatable`, an event that does not concern the part, and
/// leaves its state equal, is not passed to the feedback.
final class ScopedFeedbackState<State: Sendable, Event: Sendable>: Sendable {
    private let inputs: FeedbackInputs
    private let decide: Feedback<State, Event>.Decide
    /// The last state, to detect changes; nil if the feedback does not need that.
    private let last: Memory<ValueBox<State>>?

    init(_ part: Feedback<State, Event>.FeedbackPart, _ context: EffectContext<Event>) {
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
        return !areDynamicallySame(before.value, state.value)
    }
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
