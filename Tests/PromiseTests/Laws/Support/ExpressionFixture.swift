import Promise
import PromisedTesting
import TestSupport

/// The environment that runs one random expression: virtual time, and a record of all observable behaviour.
final class ExpressionFixture: Sendable {
    /// What the work of an expression did.
    struct Record: Equatable, CustomStringConvertible {
        /// The instants at which each body began.
        var begun: [Int: [Int]] = [:]
        /// The bodies that settled their promise.
        var ended: Set<Int> = []
        /// The bodies of promises settled from outside, which begin whether they are observed or not.
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

        /// The record without these bodies and functions.
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
    /// The resolvers of work that never settles.
    private let kept = Lock<[Resolver<Int>]>([])

    var record: Record { content.withLock { $0 } }

    /// Nanoseconds since the beginning.
    var now: Int { Int(scheduler.now / .nanoseconds(1)) }

    func note(_ change: (inout Record) -> Void) { content.withLock { change(&$0) } }

    func keep(_ resolver: Resolver<Int>) { kept.withLock { $0.append(resolver) } }

    func at(_ delay: Int, _ work: @escaping @Sendable () -> Void) {
        scheduler.schedule(after: .nanoseconds(delay), work)
    }

    /// Releases the resolvers of work that never settles.
    func end() {
        let resolvers = kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
        withExtendedLifetime(resolvers) {}
    }
}

/// One update that an observer received.
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

/// The updates that one observer received.
final class Trace: Sendable {
    private let content = Lock<[Event]>([])

    var events: [Event] { content.withLock { $0 } }

    fileprivate func add(_ event: Event) { content.withLock { $0.append(event) } }
}

extension ExpressionFixture {
    /// Observes `promise` from now on, on this fixture's scheduler.
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

/// The observable behaviour of an expression.
struct Observed: Equatable, CustomStringConvertible {
    var trace: [Event]
    var record: ExpressionFixture.Record

    var outcome: Event? { trace.last.flatMap { $0.isInterim ? nil : $0 } }

    /// Without interim values.
    var withoutInterim: Observed { Observed(trace: trace.filter { !$0.isInterim }, record: record).unmapped }

    /// Without the number of calls of functions of `map`: these are called for interim values too, even for
    /// those that a `flatMap` then drops.
    var unmapped: Observed {
        var observed = self
        observed.record.mapped = [:]
        return observed
    }

    var description: String { "trace \(trace), \(record)" }
}

/// Runs the promise that `make` returns to its end, on its own fixture.
///
/// - Parameters:
///   - instant: When to call `middle`; nil for right after the promise was observed.
///   - middle: Called once, before the promise is run to its end.
func play<Value>(
    to instant: Int? = nil, _ make: (ExpressionFixture) -> Promise<Value>,
    middle: (ExpressionFixture, Promise<Value>, Trace) -> Void = { _, _, _ in }
) -> Observed {
    let fixture = ExpressionFixture()
    let promise = fixture.scheduler.runAsCurrent { make(fixture) }
    let trace = fixture.trace(promise)
    if let instant { fixture.scheduler.advance(to: .nanoseconds(instant)) }
    middle(fixture, promise, trace)
    fixture.scheduler.run()
    let observed = Observed(trace: trace.events, record: fixture.record)
    fixture.end()
    return observed
}
