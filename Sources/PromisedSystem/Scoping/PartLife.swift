/// One feedback at work in a part of a system's state, from when the part comes until it goes: what it remembers.
///
/// Asked by the owner of the loop alone.
final class PartLife<State: Sendable, Event: Sendable>: Sendable {
    private let hearing: FeedbackHearing
    private let decide: Feedback<State, Event>.Decide
    private let soFar = Memory<Few<EffectRequest<Event>>>()

    init(_ part: Feedback<State, Event>.Part) { (hearing, decide) = (part.hearing, part.make()) }

    func answer(_ input: Feedback<State, Event>.Input) -> FeedbackAnswer<Event> {
        guard hearing.hears(input) else { return .asBefore }
        let answer = decide(soFar.value.withLock { $0 } ?? Few(), input)
        switch answer {
        case .keep(let requests): _ = soFar.exchange(for: requests)
        case .end: _ = soFar.exchange(for: Few())
        case .asBefore, .start, .each: break
        }
        return answer
    }
}
