import Dispatch
import Promise
import PromisedTesting
import TestSupport
import Testing

/// The contract of a serial scheduler: its work runs there, serially, each item once.
@Suite(.tags(.sharedState)) struct SerialTests {
    private static let operators: [String] = [
        "flatMap", "recover", "mapError", "mapErrorRecover", "parallel",
    ]

    /// A promise that runs `body` in the closure of an operator when `source` has settled.
    private static func chain(
        _ name: String, _ source: Promise<Int>, _ body: @escaping @Sendable () -> Promise<Int>
    ) -> Promise<Int> {
        let failed = source.flatMap { _ in Promise<Int>(error: Boom()) }
        return switch name {
        case "flatMap": source.flatMap { _ in body() }
        case "recover": failed.recover { _ in body() }
        case "mapError":
            failed.mapError { _ in
                _ = body()
                return Boom()
            }
        case "mapErrorRecover":
            failed.mapErrorRecover { _ in
                _ = body()
                return 0
            }
        default:
            source.flatMap { _ in
                Promise<Int>.parallel([Promise.value(1).flatMap { _ in body() }]).map { $0[0] }
            }
        }
    }

    @Test(
        "a promise started on a busy serial scheduler waits, whichever thread settles",
        arguments: operators)
    func startsThere(name: String) async throws {
        let scheduler = QueueScheduler.serial("busy")
        let busy = DispatchSemaphore(value: 0)
        scheduler.schedule { busy.wait() }
        let log = Log()
        let (source, resolver) = Promise<Int>.pending()
        let (ran, end) = Promise<Bool>.pending()
        let chain = Self.chain(name, source) {
            log("closure on it: \(scheduler.isCurrent)")
            return Promise<Int> {
                end.fulfill(scheduler.isCurrent)
                $0.fulfill(1)
            }.start(on: scheduler)
        }
        chain.start(on: scheduler)
        resolver.fulfill(1)
        #expect(log.lines == ["closure on it: false"])
        #expect(ran.result == nil)
        busy.signal()
        #expect(try await ran.value)
        _ = try? await chain.value
    }

    @Test("for a handler run by another thread, the chain's scheduler is not current")
    func handler() {
        let scheduler = TestScheduler()
        let log = Log()
        let (source, resolver) = Promise<Int>.pending()
        scheduler.schedule {
            source.done { _ in log(scheduler.isCurrent) }
            source.flatMap { _ in Promise.value(1) }.map { $0 }.done { _ in log(scheduler.isCurrent) }
        }
        scheduler.advance()
        resolver.fulfill(1)
        #expect(log.lines == ["false", "false"])
    }

    @Test("start(on:) starts synchronously if that scheduler is current") func alreadyThere() {
        let scheduler = TestScheduler()
        let log = Log()
        scheduler.schedule {
            Promise<Int> { _ in log("body") }.start(on: scheduler)
            log("started")
        }
        scheduler.advance()
        #expect(log.lines == ["body", "started"])
    }

    @Test("main does not overtake work that other threads enqueued before")
    @MainActor func mainKeepsItsQueue() async throws {
        let log = Log()
        let queued = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            MainScheduler.main.schedule { log("queued by another thread") }
            queued.signal()
        }
        queued.wait()
        MainScheduler.main.schedule { log("scheduled on main") }
        log("returned")
        try await Promise.value(()).receive(on: .main).value
        #expect(log.lines == ["returned", "queued by another thread", "scheduled on main"])
    }

    @Test("if a scheduler runs work a second time, the second run is ignored") func twice() {
        let scheduler = TwiceScheduler()
        let log = Log()
        Promise<Int> {
            log("body")
            $0.fulfill(1)
        }.start(on: scheduler).done { log($0) }
        let kept = Box<Resolver<Int>>()
        let pending = Promise<Int> {
            log("pending body")
            kept.value = $0
        }
        pending.start(on: scheduler)
        kept.value?.fulfill(0)
        Promise.value(2).receive(on: scheduler).done { log($0) }
        Promise.value(3).done(on: scheduler) { log($0) }
        Promise.value(4).delay(.zero, on: scheduler).timeout(.seconds(1), on: scheduler).done { log($0) }
        Promise.value(5).interim(0).onInterim(on: scheduler) { log("~\($0)") }
        let (reporting, resolver) = Promise<Int>.pending()
        reporting.receive(on: scheduler).onInterim { log("~\($0)") }
        resolver.report(6)
        #expect(log.lines == ["body", "1", "pending body", "2", "3", "4", "~0", "~6"])
    }

    @Test(
        "SA-50: a delay of extreme length stays pending, and can be cancelled",
        arguments: ["serial", "main", "immediate"])
    func endless(name: String) async throws {
        let scheduler: any SerialScheduler =
            switch name {
            case "serial": .serial("endless")
            case "main": .main
            default: .immediate
            }
        let delays = [
            Duration.seconds(Int64.max), .seconds(Int64.max / 1_000_000_000), .seconds(10_000_000_000),
        ]
        let waiting = delays.map { Promise.value(1).delay($0, on: scheduler).start() }
        try await Promise.value(()).delay(.zero, on: scheduler).value
        for promise in waiting {
            #expect(promise.result == nil)
            promise.cancel()
            #expect(promise.result?.error is CancellationError)
        }
    }

    @Test("a delay that a handler starts uses the scheduler of its chain", arguments: 0..<5)
    func clockOfHandlers(form: Int) {
        let scheduler = TestScheduler()
        let log = Log()
        let (source, resolver) = Promise<Int>.pending()
        let later: @Sendable () -> Void = { Promise.value("later").delay(.seconds(1)).done { log($0) } }
        scheduler.schedule {
            switch form {
            case 0: source.done { _ in later() }
            case 1: source.finally { later() }
            case 2: source.catch { _ in later() }
            case 3: source.onResult { _ in later() }
            default: source.onInterim { _ in later() }
            }
        }
        scheduler.advance()
        if form == 4 { resolver.report(0) }
        if form == 2 { resolver.reject(Boom()) } else { resolver.fulfill(1) }
        scheduler.advance(by: .milliseconds(999))
        #expect(log.lines.isEmpty)
        scheduler.advance(by: .milliseconds(1))
        #expect(log.lines == ["later"])
    }

    @Test("handlers derived from a chain use that chain's scheduler") func clockBelow() {
        let scheduler = TestScheduler()
        let log = Log()
        let (source, resolver) = Promise<Int>.pending()
        let chain = source.flatMap { Promise.value($0) }.start(on: scheduler)
        chain.map { $0 }.done { _ in Promise.value("later").delay(.seconds(1)).done { log($0) } }
        resolver.fulfill(1)
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["later"])
    }
    @Test("a nested trampoline keeps the scheduler of its own handlers, and of those outside")
    func clocksOfSeparateLists() {
        let (inner, outer) = (TestScheduler(), TestScheduler())
        let log = Log()
        @Sendable func later(_ name: String) { Promise.value(name).delay(.seconds(1)).done { log($0) } }
        let (first, before) = Promise<Int>.pending()
        first.done { _ in later("before") }
        let (second, after) = Promise<Int>.pending()
        second.done { _ in later("after") }
        let (third, inside) = Promise<Int>.pending()
        let (fourth, last) = Promise<Int>.pending()
        third.start(on: inner).done { last.fulfill($0) }
        fourth.done { _ in later("inside") }
        let (source, begin) = Promise<Int>.pending()
        source.flatMap { value in
            before.fulfill(1)
            Trampoline.nested { _ = inside.fulfill(2) }
            after.fulfill(3)
            return Promise.value(value)
        }
        .start(on: outer)
        begin.fulfill(0)
        inner.advance(by: .seconds(1))
        #expect(log.lines == ["inside"])
        outer.advance(by: .seconds(1))
        #expect(log.lines == ["inside", "before", "after"])
    }
}

/// Violates the contract: runs every work item twice, synchronously.
private final class TwiceScheduler: SerialScheduler {
    var now: Duration { .zero }
    var isCurrent: Bool { false }

    func schedule(_ work: @escaping @Sendable () -> Void) {
        work()
        work()
    }

    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        let scheduled = ScheduledWork(work)
        guard delay <= .zero else { return scheduled }
        work()
        scheduled.run()
        return scheduled
    }
}
