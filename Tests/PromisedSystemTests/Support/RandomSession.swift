import Promise
import PromisedSystem
import PromisedTesting
import TestSupport

/// A random sequence of events for a board, with their instants and policies.
struct RandomSession: Sendable {
    struct Send: Sendable {
        let after: Int
        let signal: Signal
        let policy: EventPolicy?
    }

    let sends: [Send]
    /// By the kind of event, for events that are sent without a policy.
    let policies: [EventPolicy]

    /// - Parameter isPlain: Whether all events are queued, and every transition takes no time.
    init(_ random: inout SeededGenerator, length: ClosedRange<Int>, isPlain: Bool) {
        policies = (0..<3).map { _ in isPlain ? .queue : Self.policy(&random) }
        sends = (0..<Int.random(in: length, using: &random)).map { number in
            let after = max(0, Int.random(in: -600...900, using: &random))
            let policy: EventPolicy? =
                isPlain || Int.random(in: 0..<3, using: &random) > 0 ? nil : Self.policy(&random)
            let signal: Signal =
                switch Int.random(in: 0..<10, using: &random) {
                case 0: .set(nil)
                case 1..<6: .set(Int.random(in: 0..<(isPlain ? 4 : 8), using: &random))
                case 6: .note("\(number)")
                default: .flag(.random(using: &random))
                }
            return Send(after: after, signal: signal, policy: policy)
        }
    }

    private static func policy(_ random: inout SeededGenerator) -> EventPolicy {
        let time = Duration.milliseconds(Int.random(in: 0...700, using: &random))
        let key = EffectKey(Int.random(in: 0..<2, using: &random))
        let all: [EventPolicy] = [
            .queue, .queue, .replace, .dropWhileBusy, .debounce(time, key: key), .throttle(time, key: key),
            .debounce(time, key: key, keepsOrder: false), .throttle(time, edges: .trailing, key: key),
            .throttle(time, edges: .both, key: key),
        ]
        return all.randomElement(using: &random) ?? .queue
    }

    /// The values from 4 on take time, fail, or both.
    private static let reducer = Reducer<Board, Signal> { board, signal in
        let next = Board.reducer(board, signal)
        guard case .set(let value?) = signal else { return next }
        switch value {
        case 4: return next.delay(.milliseconds(500)).stateWhenLoading(Board(notes: ["loading"]))
        case 5: return Promise(error: TestError("five"))
        case 6:
            return Promise<Board>(error: TestError("six")).delay(.milliseconds(400))
                .stateWhenLoading(Board(notes: ["failing"]))
        case 7:
            return Promise {
                let next = try await next.value
                return try await Promise.value(next).delay(.milliseconds(300)).value
            }
        default: return next
        }
    }

    /// Everything observable of a run, in order, followed by what the release of the system stops.
    func run(
        feedbacks: (Trace) -> [Feedback<Board, Signal>] = { _ in [] },
        middleware: (Trace) -> Middleware<Board, Signal> = { _ in .identity }
    ) -> [String] {
        let trace = Trace()
        let scheduler = trace.scheduler
        var system: System<Board, Signal>? = System(
            initialState: Board(), scheduler: scheduler, reducer: Self.reducer, feedbacks: feedbacks(trace),
            middleware: middleware(trace),
            configuration: .init(
                eventPolicy: { [policies] in policies[$0.kind] },
                timeLimit: { $0 == .set(4) ? .milliseconds(450) : nil }))
        let token = system?.shown.subscribe { trace.add("\($0.isLoading ? "~" : "=")\($0.state.text)") }
        system?.onError { trace.add("error \($0)") }
        system?.onLoop { trace.add(Self.text($0)) }
        scheduler.advance()
        for send in sends {
            scheduler.advance(by: .milliseconds(send.after))
            system?.sendEvent(send.signal, policy: send.policy)
        }
        scheduler.advance(by: .seconds(20))
        let lines = trace.take()
        system = nil
        token?.cancel()
        scheduler.finish()
        // Sorted, because the order at the end is not guaranteed.
        return lines + trace.lines.sorted()
    }

    private static func text(_ record: LoopRecord<Board, Signal>) -> String {
        let shown = record.shown.map { "\($0.isLoading ? "~" : "=")\($0.state.text)" }.joined(separator: "|")
        return "#\(record.number) \(record.event.text) @\(record.origin.line) \(record.before.text) → "
            + "\(record.after.text) [\(shown)] \(describe(record.outcome)) "
            + "\(record.queueWait.milliseconds) \(record.duration.milliseconds)"
    }
}

extension Signal {
    /// 0, 1 or 2, as an index into tables by kind of event.
    var kind: Int {
        switch self {
        case .set: 0
        case .flag: 1
        case .note: 2
        }
    }
}
