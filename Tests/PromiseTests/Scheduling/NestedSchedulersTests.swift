import PromisedTesting
import TestSupport
import Testing

@testable import Promise

/// What the outer scheduler's work finds after work of another scheduler ran inside it: every way to nest.
@Suite(.tags(.noSharedState)) struct NestedSchedulersTests {
    enum Inner: CaseIterable {
        case immediate, immediateDelayed, immediateTwice, test, testDelayed, running, throwing, inherited,
            scope,
            nestedTrampoline, receive, delay, settling

        /// Runs `body` inside the calling work, as work of another scheduler.
        func callAsFunction(_ body: @escaping @Sendable () -> Void) {
            let (immediate, test) = (ImmediateScheduler(), TestScheduler())
            switch self {
            case .immediate: immediate.schedule(body)
            case .immediateDelayed: immediate.schedule(after: .zero, body)
            case .immediateTwice: immediate.schedule { ImmediateScheduler().schedule(body) }
            case .test:
                test.schedule(body)
                test.advance()
            case .testDelayed:
                test.schedule(after: .seconds(1), body)
                test.run()
            case .running: test.runAsCurrent(body)
            case .throwing:
                try? test.runAsCurrent {
                    body()
                    throw Boom()
                }
            case .inherited: inheriting(test, body)
            case .scope:
                let scope = SchedulerScope(on: test)
                body()
                _ = scope.thread
            case .nestedTrampoline: Trampoline.nested { test.runAsCurrent(body) }
            case .receive: Promise.value(1).done(on: immediate) { _ in body() }
            case .delay: Promise.value(1).delay(.zero, on: immediate).done { _ in body() }
            case .settling:
                let (promise, resolver) = Promise<Int>.pending()
                promise.flatMap { Promise.value($0) }.start(on: test).done { _ in body() }
                resolver.fulfill(1)
            }
        }
    }

    private final class Plain: SerialScheduler {
        var now: Duration { .zero }

        func schedule(_ work: @escaping @Sendable () -> Void) { runAsCurrent(work) }

        func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
            let scheduled = ScheduledWork(work)
            if delay <= .zero { schedule(scheduled.run) }
            return scheduled
        }
    }

    @Test(
        "after work of an inner scheduler, the outer one is current again, and chains inherit it",
        arguments: Inner.allCases, 0..<3)
    func outer(_ inner: Inner, _ kind: Int) {
        let test = TestScheduler()
        let outer: any SerialScheduler = [test, QueueScheduler.serial("outer"), Plain()][kind]
        let log = Log()
        #expect(Trampoline.runningScheduler == nil && inheritedScheduler == nil)
        outer.runAsCurrent {
            for round in 1...2 {
                inner { log("inner \(round)") }
                #expect(outer.isCurrent)
                #expect(inheritedScheduler === outer)
            }
            Promise<Int> { resolver in
                #expect(inheritedScheduler === outer)
                resolver.fulfill(1)
            }.done { _ in log("handler") }
        }
        #expect(!outer.isCurrent)
        #expect(Trampoline.runningScheduler == nil && inheritedScheduler == nil)
        #expect(log.lines == ["inner 1", "inner 2", "handler"])
    }

    @Test(
        "inside, the outer scheduler is not current if the inner one runs its work", arguments: Inner.allCases
    )
    func inside(_ inner: Inner) {
        let outer = TestScheduler()
        // Handlers run when the inner work has returned, and inherit from the work that has attached them.
        guard ![.receive, .delay, .settling].contains(inner) else { return }
        let count = Counter()
        outer.runAsCurrent {
            inner {
                count.up()
                #expect(outer.isCurrent == [.inherited, .scope].contains(inner))
                #expect(inheritedScheduler !== outer)
            }
        }
        #expect(count.value == 1)
    }

    @Test("an item of an immediate scheduler that waits runs as its work, after the one that is running")
    func waiting() {
        let (scheduler, outer) = (ImmediateScheduler(), TestScheduler())
        let log = Log()
        scheduler.schedule {
            outer.runAsCurrent {
                scheduler.schedule { log("waited: \(inheritedScheduler === scheduler) \(outer.isCurrent)") }
                log("outer: \(outer.isCurrent)")
            }
            log("first: \(inheritedScheduler === scheduler)")
        }
        #expect(log.lines == ["outer: true", "first: true", "waited: true false"])
    }
}
