/// One feedback at work in a part of a system's state, from when the part comes until it goes: what it remembers.
///
/// Asked by the owner of the loop alone. An event that is none of the part's, and leaves its state alone, is nothing to
/// the feedback.
final class ScopedFeedbackState<State: Sendable, Event: Sendable>: Sendable {
    private let hearing: FeedbackInputs
    private let decide: Feedback<State, Event>.Decide
    private let current = Memory<SmallArray<EffectRequest<Event>>>()
    /// The last state, where that decides whether the feedback is asked.
    private let last: Memory<ValueBox<State>>?

    init(_ part: Feedback<State, Event>.Part) {
        (hearing, decide) = (part.hearing, part.make())
        last = part.skipsRepeated || !(State.self is any Equatable.Type) ? nil : Memory()
    }

    func answer(_ input: Feedback<State, Event>.Input) -> FeedbackDecision<Event> {
        guard hearing.accepts(input), concernsThis(input) else { return .asBefore }
        let answer = decide(current.value.withLock { $0 } ?? SmallArray(), input)
        switch answer {
        case .keep(let requests): _ = current.exchange(for: requests)
        case .end: _ = current.exchange(for: SmallArray())
        case .asBefore, .start, .each: break
        }
        return answer
    }

    private func concernsThis(_ input: Feedback<State, Event>.Input) -> Bool {
        guard let last, case .state(let state, let event) = input else { return true }
        guard let before = last.exchange(for: state), event == nil else { return true }
        return !areEqual(before.value, state.value)
    }
}

/// Whether two values are equal; false where they cannot be compared.
///
/// Asked of their type when the program runs, because what lifts a feature knows nothing of its state.
private func areEqual<Value>(_ left: Value, _ right: Value) -> Bool {
    guard let left = left as? any Equatable else { return false }
    return left.isEqual(to: right)
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool {
        guard let other = other as? Self else { return false }
        return self == other
    }
}
