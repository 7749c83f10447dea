import PromisedSystem
import TestSupport

/// A random feedback of any form, and the work that it starts.
///
/// A recipe, and not the feedback itself, because each run has its own trace.
struct RandomFeedback: Sendable {
    enum Form: CaseIterable, Sendable {
        case empty, never, just, imperative, everyInput
        case lensing, skippingRepeats, ownComparison, derivedKey, firstAfterNil, edges, latestState,
            mergedStates
        case keyed, restarting, updating, stateRequests
        case extracting, extractingOnce, latestEvent, mergedEvents, onEvent, eventRequests
    }

    let name: String
    let form: Form
    let policy: EffectPolicy
    let work: RandomWork

    /// - Parameter names: The names of all feedbacks used together, whose work may be cancelled by its key.
    init(_ name: String, among names: [String], _ random: inout SeededGenerator) {
        self.name = name
        form = Form.allCases.randomElement(using: &random) ?? .empty
        policy = Self.policy(&random)
        work = RandomWork(&random, keys: names.map { EffectKey($0) })
    }

    private static func policy(_ random: inout SeededGenerator) -> EffectPolicy {
        let time = Duration.milliseconds(Int.random(in: 0...900, using: &random))
        let all: [EffectPolicy] = [
            .concurrent, .queue, .replace, .drop, .debounce(time), .throttle(time),
            .throttle(time, edges: .trailing), .throttle(time, edges: .both),
        ]
        return all.randomElement(using: &random) ?? .queue
    }

    /// False once there are enough notes, so that the effects of a run stop cascading.
    private static func isOpen(_ board: Board) -> Bool { board.notes.count < 4 }
    private static let value: @Sendable (Board) -> Int? = { isOpen($0) ? $0.value : nil }
    /// Effects send notes only, so no effect is started by its own event.
    private static let payload: @Sendable (Signal) -> Int? = {
        if case .set(let value) = $0 { value } else { nil }
    }

    func feedback(_ trace: Trace) -> Feedback<Board, Signal> {
        let (name, work, policy) = (name, work, policy)
        let start: @Sendable (Int) -> Effect<Signal> = { work.effect("\(name)\($0)", trace) }
        switch form {
        case .empty: return .empty
        case .never: return .never
        case .just:
            return .just(
                effects: Effect { effect in
                    trace.add("just \(name)"); effect.send(.note(name))
                })
        case .imperative:
            return .imperative { send in
                trace.add("set up \(name)")
                return { board, signal in
                    trace.add("\(name) \(signal.text)")
                    if case .flag = signal, Self.isOpen(board) { send(.note(name)) }
                }
            }
        case .everyInput:
            return Feedback(effects: { board, signal -> Effect<Signal> in
                Self.isOpen(board) ? work.effect("\(name) \(signal?.text ?? "")", trace) : .none
            })
        case .keyed, .restarting, .updating, .stateRequests: return keyed(start, trace)
        case .extracting, .extractingOnce, .latestEvent, .mergedEvents, .onEvent, .eventRequests:
            return eventDriven(start, policy)
        default: return stateDriven(start, trace)
        }
    }

    private func stateDriven(
        _ start: @escaping @Sendable (Int) -> Effect<Signal>, _ trace: Trace
    ) -> Feedback<Board, Signal> {
        let start: @Sendable (Board) -> Effect<Signal> = { start($0.value ?? 0) }
        let value = Self.value
        let board: @Sendable (Board) -> Board? = { value($0) == nil ? nil : $0 }
        switch form {
        case .lensing: return .lensing(state: board, effects: start)
        case .skippingRepeats:
            return .lensingSkippingRepeated(
                state: { board($0).map { Board(value: $0.value) } }, effects: start)
        case .ownComparison:
            return .lensingSkippingRepeated(state: board, equals: { $0?.flag == $1?.flag }, effects: start)
        case .derivedKey: return .skippingRepeated(state: { value($0).map { $0 / 2 } }, effects: start)
        case .firstAfterNil: return .firstValueAfterNil(state: board, effects: start)
        case .edges: return .whenBecomesTrue(state: \.flag, effects: start)
        case .latestState: return .withLatest(state: board, effects: start)
        default: return .merging(state: board, effects: start)
        }
    }

    /// One request at a time: the order of a set or a dictionary differs from run to run.
    private func keyed(
        _ start: @escaping @Sendable (Int) -> Effect<Signal>, _ trace: Trace
    ) -> Feedback<Board, Signal> {
        let (name, policy, value) = (name, policy, Self.value)
        switch form {
        case .keyed: return .react(requests: { Set(value($0).map { [$0] } ?? []) }, effects: start)
        case .restarting:
            return .react(requests: { board in value(board).map { [name: $0] } ?? [:] }) { _, value in
                start(value)
            }
        case .updating:
            return .react(requests: { board in value(board).map { [name: $0] } ?? [:] }) { _, value, later in
                trace.add("+\(name)\(value)")
                return Effect<Signal>.values(later.map { .note("\(name)u\($0)") })
            }
        default:
            return Feedback(requests: { soFar, board in
                guard let value = value(board) else { return board.flag ? [] : soFar }
                let key = EffectKey(value.isMultiple(of: 2) ? name : "\(name) odd")
                let others = soFar.filter { $0.key != key }
                return others + [
                    EffectRequest(key, revision: EffectKey(value), policy: policy) { start(value) }
                ]
            })
        }
    }

    private func eventDriven(
        _ start: @escaping @Sendable (Int) -> Effect<Signal>, _ policy: EffectPolicy
    ) -> Feedback<Board, Signal> {
        let (name, payload) = (name, Self.payload)
        switch form {
        case .extracting: return .extracting(payload: payload, effects: start)
        case .extractingOnce: return .extractingSkippingRepeated(payload: payload, effects: start)
        case .latestEvent: return .withLatest(events: payload, effects: start)
        case .mergedEvents: return .merging(events: payload, effects: start)
        case .onEvent: return .onEvent(payload, key: { _ in EffectKey(name) }, policy: policy, effects: start)
        default:
            return Feedback(eventRequests: { soFar, signal, board in
                guard let value = payload(signal) else { return board.flag ? [] : soFar }
                return [
                    EffectRequest(EffectKey(name), revision: EffectKey(board.notes.count), policy: policy) {
                        start(value)
                    }
                ]
            })
        }
    }
}
