import Dispatch
import Promise
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct SchedulerTests {
    @Test("the first starter decides on which scheduler a shared chain runs") func firstStarter() {
        let (first, second) = (TestScheduler(), TestScheduler())
        let shared = Promise.value(1).delay(.seconds(1))
        shared.start(on: first)
        shared.start(on: second)
        shared.map { $0 }.start(on: second)
        second.run()
        #expect(shared.result == nil)
        first.run()
        #expect(shared.result?.value == 1)
        #expect(second.pendingCount == 0)
    }

    @Test("work begins on the scheduler on which it is started") func begins() {
        let scheduler = TestScheduler()
        let log = Log()
        let promise = Promise<Int> {
            log(scheduler.isCurrent)
            $0.fulfill(1)
        }
        promise.start(on: scheduler)
        #expect(log.lines.isEmpty)
        #expect(!scheduler.isCurrent)
        scheduler.advance()
        #expect(log.lines == ["true"])
    }

    @Test("inner promises and their delays run on the scheduler of the chain") func inner() {
        let scheduler = TestScheduler()
        let (gate, resolver) = Promise<Int>.pending()
        let shared = Promise.value(5).delay(.seconds(1))
        let chain = gate.flatMap { Promise.value($0).delay(.seconds(1)) }
            .flatMap { value in Promise { () async throws in value + 1 } }
            .flatMap { _ in shared }
            .recover { Promise(error: $0).delay(.seconds(1)) }
            .timeout(.seconds(10))
        chain.start(on: scheduler)
        scheduler.advance()
        resolver.fulfill(1)
        scheduler.advance(by: .seconds(1))
        #expect(chain.result == nil)
        scheduler.advance(by: .seconds(1))
        #expect(chain.result?.value == 5)
        #expect(scheduler.pendingCount == 0)
        scheduler.finish()
    }

    @Test("members of a combinator run on the scheduler of the chain") func members() {
        let scheduler = TestScheduler()
        let members = (1...3).map { Promise.value($0).delay(.seconds($0)) }
        let all = Promise<Int>.parallel(members).start(on: scheduler)
        scheduler.run()
        #expect(all.result?.value == [1, 2, 3])
        #expect(scheduler.now == .seconds(3))
    }

    @Test("a promise started by a scheduler's work runs on that scheduler") func current() {
        let scheduler = TestScheduler()
        let log = Log()
        scheduler.schedule { Promise.value(1).delay(.seconds(1)).done { log($0) } }
        scheduler.advance(by: .seconds(1))
        #expect(log.lines == ["1"])
    }

    @Test("an explicit scheduler overrides the chain's") func named() {
        let (own, other) = (TestScheduler(), TestScheduler())
        let promise = Promise.value(1).delay(.seconds(1), on: other).start(on: own)
        own.run()
        #expect(promise.result == nil)
        other.run()
        #expect(promise.result?.value == 1)
    }

    // MARK: The schedulers of the library

    @Test("immediate runs work synchronously, one item at a time") func immediate() {
        let scheduler = ImmediateScheduler()
        let log = Log()
        scheduler.schedule {
            log("enter 1")
            scheduler.schedule { log("2") }
            scheduler.schedule(after: .zero) { log("3") }
            log("leave 1")
        }
        log("after")
        #expect(log.lines == ["enter 1", "leave 1", "2", "3", "after"])
        #expect(scheduler.isCurrent)
    }

    @Test("each use of immediate is independent: other work does not delay it")
    func immediateApart() {
        let log = Log()
        let busy: ImmediateScheduler = .immediate
        busy.schedule {
            Promise.value(1).receive(on: .immediate).done { log($0) }
            log("after")
        }
        #expect(log.lines == ["1", "after"])
    }

    @Test("immediate delays in real time, and the delay can be cancelled") func immediateDelay()
        async throws
    {
        #expect(try await Promise.value(1).delay(.nanoseconds(1), on: .immediate).value == 1)
        let work = ImmediateScheduler().schedule(after: .seconds(3600)) { Issue.record("ran") }
        #expect(work.isPending)
        work.cancel()
        #expect(!work.isPending)
    }

    @Test("a serial scheduler runs work in order, asynchronously, as the current one")
    func serial() async throws {
        let scheduler = QueueScheduler.serial("test")
        let log = Log()
        let done = Promise<Int> { resolver in
            scheduler.schedule {
                log(scheduler.isCurrent)
                scheduler.schedule { log("nested") }
                scheduler.schedule(after: .zero) { resolver.fulfill(1) }
                log("first")
            }
        }
        #expect(!scheduler.isCurrent)
        #expect(try await done.value == 1)
        #expect(log.lines == ["true", "first", "nested"])
    }

    @Test("a serial scheduler delays, runs async work, and receives") func serialChain()
        async throws
    {
        let scheduler = QueueScheduler.serial("test")
        let before = scheduler.now
        let chain = Promise { () async throws in scheduler.isCurrent }
            .delay(.milliseconds(1))
            .start(on: scheduler)
        #expect(try await chain.value)
        #expect(scheduler.now - before >= .milliseconds(1))
        let received = Promise.value(1).receive(on: scheduler).map { _ in scheduler.isCurrent }
        #expect(try await received.value)
    }

    @Test("cancelled work of a serial scheduler never runs and is released")
    func serialCancelled() {
        weak var token: Token?
        let scheduler = QueueScheduler.serial("test")
        let work: ScheduledWork
        do {
            let held = Token()
            token = held
            work = scheduler.schedule(after: .seconds(3600)) { withExtendedLifetime(held) {} }
        }
        #expect(token != nil)
        work.cancel()
        #expect(token == nil)
    }

    @Test("main runs main-actor closures on the main thread, asynchronously")
    @MainActor func main() async throws {
        let heard = MainLog()
        let done = Promise.value(1).done(on: .main) {
            heard.add("\($0)")
            #expect(MainScheduler.main.isCurrent)
        }
        let caught = Promise<Int>(error: Boom("e")).catch(on: .main) { heard.add("\($0)") }
        let ended = Promise.value(2).finally(on: .main) { heard.add("finally") }
        #expect(heard.lines.isEmpty)
        try await done.value
        _ = try? await caught.value
        _ = try await ended.value
        #expect(heard.lines == ["1", "e", "finally"])
    }

    @Test("main runs work inline on the main thread if nothing is enqueued before")
    @MainActor func mainInline() async throws {
        let scheduler = MainScheduler.main
        #expect(scheduler.isCurrent)
        let log = Log()
        let (drained, resolver) = Promise<Void>.pending()
        // Other tests may have enqueued work; this test has none after this item.
        scheduler.schedule(after: .zero) {
            log("queued")
            resolver.fulfill(())
        }
        try await drained.value
        scheduler.schedule {
            log("enter")
            scheduler.schedule { log("nested") }
            log("leave")
        }
        try await Promise.value(()).receive(on: scheduler).value
        #expect(log.lines == ["queued", "enter", "leave", "nested"])
    }

    @Test("main never runs work re-entrantly, however the outer work was scheduled")
    func mainNeverNests() async throws {
        let log = Log()
        let (done, resolver) = Promise<Void>.pending()
        let work: @Sendable () -> Void = {
            log("enter")
            MainScheduler.main.schedule { log("nested") }
            log("leave")
        }
        // Work from another thread, or after a delay, is enqueued on the main queue.
        MainScheduler.main.schedule(work)
        MainScheduler.main.schedule {
            MainScheduler.main.schedule(after: .zero) {
                work()
                MainScheduler.main.schedule { resolver.fulfill(()) }
            }
        }
        try await done.value
        #expect(log.lines == ["enter", "leave", "nested", "enter", "leave", "nested"])
    }

    @Test("main keeps the order of what other threads schedule") func mainOrder() async throws {
        let log = Log()
        let (done, resolver) = Promise<Void>.pending()
        for number in 0..<100 { MainScheduler.main.schedule { log(number) } }
        MainScheduler.main.schedule { resolver.fulfill(()) }
        try await done.value
        #expect(log.lines == (0..<100).map { "\($0)" })
    }

    @Test("scheduled work runs once") func scheduledWork() {
        let log = Log()
        let work = ScheduledWork { log("ran") }
        #expect(work.isPending)
        work.run()
        work.run()
        work.cancel()
        #expect(!work.isPending)
        #expect(log.lines == ["ran"])
    }
}

@MainActor private final class MainLog {
    private(set) var lines: [String] = []

    func add(_ line: String) { lines.append(line) }
}
