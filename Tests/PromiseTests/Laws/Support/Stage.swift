import Promise
import PromisedTesting
import TestSupport

/// Where one random expression is played: virtual time, and everything that can be seen from outside.
final class Stage: Sendable {
    /// What became of the work of an expression.
    struct Record: Equatable, CustomStringConvertible {
        /// When each body began, each time that it did.
        var begun: [Int: [Int]] = [:]
        /// The bodies that settled their promise, by themselves.
        var ended: Set<Int> = []
        /// Those that are settled from outside, and so begin whether somebody wants them or not.
        var outside: Set<Int> = []
        /// How often the `onCancel` of each body ran.
        var cancelled: [Int: Int] = [:]
        /// How often each function that makes promises was called, and each closure of `ensure`.
        var calls: [Int: Int] = [:]
        /// How often each function of `map` was called, for interim values too.
        var mapped: [Int: Int] = [:]

        /// Bodies that began, and neither settled nor were cancelled.
        var open: Set<Int> {
            Set(begun.keys).subtracting(ended).subtracting(cancelled.keys).subtracting(outside)
        }

        /// Apart from what these bodies and functions did.
        func without(_ names: ClosedRange<Int>) -> Record {
            Record(
                begun: begun.filter { !names.contains($0.key) },
                ended: ended.filter { !names.contains($0) },
                outside: outside.filter { !names.contains($0) },
                cancelled: cancelled.filter { !names.contains($0.key) },
                calls: calls.filter { !names.contains($0.key) },
                mapped: mapped.filter { !names.contains($0.key) })
        }

        var description: String {
            func text(_ counts: [Int: some Any]) -> String {
                counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
            }
            return "begun [\(text(begun))], ended \(ended.sorted()), cancelled [\(text(cancelled))], "
                + "calls [\(text(calls))], mapped [\(text(mapped))]"
        }
    }

    let scheduler = TestScheduler()
    private let content = Lock(Record())
    /// The resolvers of work that never ends.
    private let kept = Lock<[Resolver<Int>]>([])

    var record: Record { content.withLock { $0 } }

    /// Nanoseconds since the beginning.
    var now: Int { Int(scheduler.now / .nanoseconds(1)) }

    func note(_ change: (inout Record) -> Void) { content.withLock { change(&$0) } }

    func keep(_ resolver: Resolver<Int>) { kept.withLock { $0.append(resolver) } }

    func at(_ delay: Int, _ work: @escaping @Sendable () -> Void) {
        scheduler.schedule(after: .nanoseconds(delay), work)
    }

    /// Lets go of what would be kept for ever.
    func end() {
        let resolvers = kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
        withExtendedLifetime(resolvers) {}
    }
}

/// Something that an observer heard.
struct Event: Equatable, CustomStringConvertible {
    enum Kind: Equatable { case interim, value, error }

    let at: Int
    let kind: Kind
    let text: String

    var isInterim: Bool { kind == .interim }
    var description: String {
        switch kind {
        case .interim: "\(at) ~\(text)"
        case .value: "\(at) \(text)"
        case .error: "\(at) !\(text)"
        }
    }
}

/// What one observer hears.
final class Trace: Sendable {
    private let content = Lock<[Event]>([])

    var events: [Event] { content.withLock { $0 } }

    fileprivate func add(_ event: Event) { content.withLock { $0.append(event) } }
}

extension Stage {
    /// Observes `promise` from now on, as a chain of this stage's scheduler.
    func trace<Value>(_ promise: Promise<Value>) -> Trace {
        let trace = Trace()
        let add: @Sendable (Event.Kind, String) -> Void = { [weak self] kind, text in
            if let self { trace.add(Event(at: now, kind: kind, text: text)) }
        }
        scheduler.runAsCurrent {
            _ = promise.onInterim { add(.interim, "\($0)") }.done { add(.value, "\($0)") }
                .catch { add(.error, "\($0)") }
        }
        return trace
    }

    static let cancellation = "\(CancellationError())"
}

/// All that can be seen of an expression.
struct Observed: Equatable, CustomStringConvertible {
    var trace: [Event]
    var record: Stage.Record

    var outcome: Event? { trace.last.flatMap { $0.isInterim ? nil : $0 } }

    /// Apart from interim values.
    var withoutInterim: Observed { Observed(trace: trace.filter { !$0.isInterim }, record: record).unmapped }

    /// Apart from how often functions of `map` were called: they are called for interim values too, even for
    /// those that a `flatMap` then drops.
    var unmapped: Observed {
        var observed = self
        observed.record.mapped = [:]
        return observed
    }

    var description: String { "trace \(trace), \(record)" }
}

/// Plays what `make` makes on a stage of its own to its end.
///
/// - Parameters:
///   - instant: When to do what `middle` does; nil for right after the promise was observed.
///   - middle: What is done on the way.
func play<Value>(
    to instant: Int? = nil, _ make: (Stage) -> Promise<Value>,
    middle: (Stage, Promise<Value>, Trace) -> Void = { _, _, _ in }
) -> Observed {
    let stage = Stage()
    let promise = stage.scheduler.runAsCurrent { make(stage) }
    let trace = stage.trace(promise)
    if let instant { stage.scheduler.advance(to: .nanoseconds(instant)) }
    middle(stage, promise, trace)
    stage.scheduler.run()
    let observed = Observed(trace: trace.events, record: stage.record)
    stage.end()
    return observed
}
