import Promise
import PromisedTesting
import TestSupport
import Testing

/// The laws of settling and observing.
@Suite(.tags(.noSharedState)) struct SettlementLawTests {
    /// One call on a pending promise or its resolver.
    private enum Step: Sendable, CustomStringConvertible {
        case fulfill(Int), reject(String), resolve(Int), resolveError(String), report(Int), cancel, drop,
            observe

        static func random(_ random: inout RandomExpressions) -> Step {
            switch random.number(0...13) {
            case 0: .fulfill(random.number(0...99))
            case 1: .reject(random.errorName())
            case 2: .resolve(random.number(0...99))
            case 3: .resolveError(random.errorName())
            case 4: .cancel
            case 5: .drop
            case 6...9: .report(random.number(100...199))
            default: .observe
            }
        }

        var description: String {
            switch self {
            case .fulfill(let value): "fulfill(\(value))"
            case .reject(let name): "reject(\(name))"
            case .resolve(let value): "resolve(success \(value))"
            case .resolveError(let name): "resolve(failure \(name))"
            case .report(let value): "report(\(value))"
            case .cancel: "cancel"
            case .drop: "drop"
            case .observe: "observe"
            }
        }
    }

    /// The rules as a model: the first settlement wins; an observer receives the interim values reported
    /// from its start until the settlement, then the outcome.
    private struct Model {
        var outcome: String?
        var heard: [[String]] = []
        var returned: [Bool] = []
        /// Whether the last resolver is released, so that its methods can no longer be called.
        private var isDropped = false

        private mutating func settle(_ text: String) -> Bool {
            guard outcome == nil else { return false }
            outcome = text
            for index in heard.indices { heard[index].append(text) }
            return true
        }

        mutating func take(_ step: Step) {
            switch step {
            case .fulfill, .resolve, .reject, .resolveError, .report: if isDropped { return }
            case .cancel, .drop, .observe: break
            }
            switch step {
            case .fulfill(let value), .resolve(let value): returned.append(settle("\(value)"))
            case .reject(let name), .resolveError(let name): returned.append(settle("!\(name)"))
            case .report(let value):
                returned.append(outcome == nil)
                if outcome == nil { for index in heard.indices { heard[index].append("~\(value)") } }
            case .cancel: _ = settle("!\(ExpressionFixture.cancellation)")
            case .drop:
                _ = settle("!abandoned")
                isDropped = true
            case .observe: heard.append(outcome.map { [$0] } ?? [])
            }
        }
    }

    /// A real promise that takes the same steps.
    private final class Real: Sendable {
        let promise: Promise<Int>
        private let resolver: Box<Resolver<Int>>
        private let logs = Lock<[Log]>([])
        private let results = Lock<[Bool]>([])

        init() {
            let (promise, resolver) = Promise<Int>.pending()
            self.promise = promise
            self.resolver = Box(resolver)
        }

        var heard: [[String]] {
            logs.withLock { $0 }.map { $0.lines.map { $0.contains("abandoned") ? "!abandoned" : $0 } }
        }
        var returned: [Bool] { results.withLock { $0 } }

        func take(_ step: Step) {
            let result: Bool? =
                switch step {
                case .fulfill(let value): resolver.value?.fulfill(value)
                case .resolve(let value): resolver.value?.resolve(.success(value))
                case .reject(let name): resolver.value?.reject(Boom(name))
                case .resolveError(let name): resolver.value?.resolve(.failure(Boom(name)))
                case .report(let value): resolver.value?.report(value)
                case .cancel, .drop, .observe: nil
                }
            if let result { results.withLock { $0.append(result) } }
            switch step {
            case .cancel: promise.cancel()
            case .drop: resolver.value = nil
            case .observe: logs.withLock { [log = promise.traced()] in $0.append(log) }
            default: break
            }
        }
    }

    @Test(
        "PK-19: the first settlement wins; an observer receives later interim values and one outcome",
        arguments: [false, true])
    func firstWins(_ isInsideHandler: Bool) {
        law(seed: isInsideHandler ? 4_010_000 : 4_000_000) { random in
            let steps = (0..<random.number(1...12)).map { _ in Step.random(&random) }
            var model = Model()
            for step in steps { model.take(step) }
            let real = Real()
            if isInsideHandler {
                Promise.value(0).done { _ in for step in steps { real.take(step) } }
            } else {
                for step in steps { real.take(step) }
            }
            return .unless(real.heard, model.heard, "\(steps)", ("heard   ", "expected"))
                ?? .unless(real.returned, model.returned, "\(steps)", ("returned", "expected"))
        }
    }

    @Test(
        "PK-20: every observer, early or late, receives the same outcome once, and nothing after it"
    )
    func sameOutcome() {
        law(seed: 4_020_000) { random in
            let p = random.expression()
            let instants = (0..<random.number(2...4)).map { _ in random.number(0...8) }.sorted()
            let fixture = ExpressionFixture()
            defer { fixture.end() }
            let promise = fixture.scheduler.runAsCurrent { p.promise(on: fixture) }
            var traces = instants.map { instant in
                fixture.scheduler.advance(to: .nanoseconds(instant))
                return fixture.trace(promise)
            }
            fixture.scheduler.run()
            traces.append(fixture.trace(promise))
            let heard = traces.map(\.events)
            let seen = Violation("from \(instants) on, p = \(p)", ("heard", heard))
            // No observer may receive anything after the outcome.
            guard heard.allSatisfy({ $0.dropLast().allSatisfy(\.isInterim) }) else { return seen }
            let outcomes = Set(heard.map { events in events.last.flatMap { $0.isInterim ? nil : $0.text } })
            return outcomes.count == 1 ? nil : seen
        }
    }

    @Test("a later observer receives a suffix of what an earlier one receives") func suffixes() {
        law(seed: 4_030_000) { random in
            let p = random.expression()
            let instant = random.number(0...8)
            let fixture = ExpressionFixture()
            defer { fixture.end() }
            let promise = fixture.scheduler.runAsCurrent { p.promise(on: fixture) }
            // Leading interim values are delivered to every observer, also a late one.
            let leads = promise.leadingBoxes.count
            let early = fixture.trace(promise)
            fixture.scheduler.advance(to: .nanoseconds(instant))
            let before = early.events.count
            let late = fixture.trace(promise)
            fixture.scheduler.run()
            let isSettled = early.events.prefix(before).last.map { !$0.isInterim } ?? false
            let expected = early.events.suffix(from: isSettled ? before - 1 : before).map(\.text)
            return .unless(
                late.events.dropFirst(leads).map(\.text), expected, "at \(instant), p = \(p)",
                ("late    ", "expected"))
        }
    }

    @Test("all work, and every function except of map, runs once for any number of observers")
    func runsOnce() {
        law(seed: 4_040_000) { random in
            let (p, observers) = (random.expression(), random.number(1...4))
            let alone = play { fixture in p.promise(on: fixture) }
            let many = play {
                p.promise(on: $0)
            } middle: { fixture, promise, _ in
                for _ in 0..<observers { _ = fixture.trace(promise) }
            }
            let isOnce =
                many.record.begun.values.allSatisfy { $0.count == 1 }
                && many.record.calls.values.allSatisfy { $0 == 1 }
            let text = "\(observers) more, p = \(p)"
            return .unless(many.unmapped, alone.unmapped, text, ("with more", "alone    "))
                ?? (isOnce ? nil : Violation(text, ("seen", many)))
        }
    }
}
