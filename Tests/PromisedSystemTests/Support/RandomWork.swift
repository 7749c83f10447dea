import Promise
import PromisedSystem
import PromisedTesting
import TestSupport

/// A log of a run, each line with its instant in milliseconds.
final class Trace: Sendable {
    let scheduler = TestScheduler()
    private let log = Log<String>()

    var lines: [String] { log.entries }

    func add(_ text: String) { log.add("\(scheduler.now.milliseconds) \(text)") }

    /// Removes and returns the lines so far.
    func take() -> [String] { log.take() }
}

extension Duration {
    var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}

extension Signal {
    /// Shorter than the default description, and much faster.
    var text: String {
        switch self {
        case .set(let value): value.map { "set \($0)" } ?? "set nil"
        case .flag(let flag): flag ? "flag on" : "flag off"
        case .note(let name): name
        }
    }
}

extension Board {
    var text: String {
        "\(value.map { "\($0)" } ?? "-")\(flag ? "!" : "") \(notes.joined(separator: ","))"
    }
}

/// Random work of an effect: what it sends, when, and how it ends.
enum RandomWork: Sendable {
    case notes(after: [Int], ends: End)
    case atOnce(Int)
    case promise(after: Int, interim: Bool, fails: Bool)
    case task(after: Int)
    case values(after: [Int])
    case cancel(EffectKey)
    indirect case both(RandomWork, RandomWork)

    enum End: CaseIterable, Sendable { case finishes, fails, becomesEvent, goesOn }

    init(_ random: inout SeededGenerator, keys: [EffectKey], isPart: Bool = false) {
        func time() -> Int { Int.random(in: 0...1500, using: &random) }
        func times() -> [Int] { (0..<Int.random(in: 1...3, using: &random)).map { _ in time() } }
        switch Int.random(in: 0..<(isPart ? 7 : 8), using: &random) {
        case 0, 1: self = .notes(after: times(), ends: End.allCases.randomElement(using: &random) ?? .goesOn)
        case 2: self = .atOnce(Int.random(in: 0...2, using: &random))
        case 3:
            self = .promise(
                after: time(), interim: .random(using: &random),
                fails: Int.random(in: 0..<4, using: &random) == 0)
        case 4: self = .task(after: time())
        case 5: self = .values(after: times())
        case 6: self = .cancel(keys.randomElement(using: &random) ?? 0)
        default:
            self = .both(
                RandomWork(&random, keys: keys, isPart: true), RandomWork(&random, keys: keys, isPart: true))
        }
    }

    func effect(_ name: String, _ trace: Trace) -> Effect<Signal> {
        switch self {
        case .notes(let delays, let end):
            let effect = notes(name, delays, end, trace)
            return end == .becomesEvent ? effect.recover { .note("\(name)?\($0)") } : effect
        case .atOnce(let count):
            trace.add("+\(name)")
            return .sequence((0..<count).map { .note("\(name)s\($0)") })
        case .promise(let delay, let interim, let fails):
            let promise = Promise<Signal> { resolver in
                trace.add("+\(name)")
                resolver.onCancel { trace.add("-\(name)") }
                trace.scheduler.schedule(after: .milliseconds(delay)) {
                    if fails { resolver.reject(TestError(name)) } else { resolver.fulfill(.note("\(name)p")) }
                }
            }
            return .promise(interim ? promise.interim(.note("\(name)i")) : promise)
        case .task(let delay):
            return .task {
                trace.add("+\(name)")
                return try await withTaskCancellationHandler {
                    try await Promise.value(Signal.note("\(name)t")).delay(.milliseconds(delay)).value
                } onCancel: {
                    trace.add("-\(name)")
                }
            }
        case .values(let delays): return .values(values(name, delays, trace))
        case .cancel(let key): return .cancel(key)
        case .both(let left, let right):
            return .merge(left.effect("\(name)l", trace), right.effect("\(name)r", trace))
        }
    }

    private func notes(_ name: String, _ delays: [Int], _ end: End, _ trace: Trace) -> Effect<Signal> {
        Effect { effect in
            trace.add("+\(name)")
            effect.onCancel { trace.add("-\(name)") }
            for (number, delay) in delays.enumerated() {
                effect.scheduler.schedule(after: .milliseconds(delay)) {
                    effect.send(.note("\(name)n\(number)"))
                }
            }
            effect.scheduler.schedule(after: .milliseconds(delays.max() ?? 0)) {
                switch end {
                case .finishes: effect.finish()
                case .fails, .becomesEvent: effect.fail(TestError("f"))
                case .goesOn: break
                }
            }
        }
    }

    private func values(_ name: String, _ delays: [Int], _ trace: Trace) -> AsyncStream<Signal> {
        trace.add("+\(name)")
        let (stream, values) = AsyncStream.makeStream(of: Signal.self)
        values.onTermination = { if case .cancelled = $0 { trace.add("-\(name)") } }
        for (number, delay) in delays.enumerated() {
            trace.scheduler.schedule(after: .milliseconds(delay)) { values.yield(.note("\(name)v\(number)")) }
        }
        trace.scheduler.schedule(after: .milliseconds(delays.max() ?? 0)) { values.finish() }
        return stream
    }
}
