import Promise
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct AsyncBridgeTests {
    @Test("awaiting returns the value or throws the error") func awaiting() async throws {
        #expect(try await Promise.value(1).value == 1)
        #expect(try await Promise { $0.fulfill(2) }.map { $0 }.value == 2)
        await #expect(throws: Boom("e")) { try await Promise<Int>(error: Boom("e")).value }
        await #expect(throws: Boom("f")) { try await Promise<Int> { $0.reject(Boom("f")) }.value }
        await #expect(throws: PromiseError.self) { try await Promise<Int> { _ in }.value }
    }

    @Test("several tasks can await a pending promise until it settles") func pending()
        async throws
    {
        let scheduler = TestScheduler()
        let (promise, resolver) = Promise<Int>.pending()
        let log = Log()
        for number in 1...3 {
            Promise { () async throws in log("\(number): \(try await promise.value)") }.start(on: scheduler)
        }
        scheduler.run()
        #expect(log.lines.isEmpty)
        resolver.fulfill(7)
        scheduler.run()
        #expect(log.lines == ["1: 7", "2: 7", "3: 7"])
        scheduler.finish()
    }

    @Test("cancelling the awaiting task withdraws its interest") func taskCancelled() async {
        let (promise, resolver) = Promise<Int>.pending()
        let cancelled = Counter()
        resolver.onCancel { cancelled.up() }
        let task = Task { try await promise.value }
        task.cancel()
        let result = await task.result
        #expect(result.error is CancellationError)
        // A task cancelled before it awaits never observes the promise; otherwise it was the only observer.
        #expect(cancelled.value == (promise.result == nil ? 0 : 1))
    }

    @Test("cancelling an awaiting task resumes it and cancels work without other observers")
    func waitingCancelled() {
        let scheduler = TestScheduler()
        let (promise, resolver) = Promise<Int>.pending()
        let waiting = Promise { () async throws in try await promise.value }
        waiting.start(on: scheduler)
        scheduler.run()
        #expect(!resolver.isCancelled)
        waiting.cancel()
        #expect(resolver.isCancelled)
        scheduler.finish()
        #expect(waiting.result?.error is CancellationError)
    }

    @Test("cancelling one awaiting task does not affect the others") func oneOfTwo() {
        let scheduler = TestScheduler()
        let (promise, resolver) = Promise<Int>.pending()
        let first = Promise { () async throws in try await promise.value }.start(on: scheduler)
        let second = Promise { () async throws in try await promise.value }.start(on: scheduler)
        scheduler.run()
        first.cancel()
        scheduler.run()
        #expect(!resolver.isCancelled)
        resolver.fulfill(4)
        scheduler.run()
        #expect(first.result?.error is CancellationError)
        #expect(second.result?.value == 4)
        scheduler.finish()
    }

    @Test("async work that is started and cancelled in one work item does not run")
    func asyncCancelledBefore() {
        let scheduler = TestScheduler()
        let log = Log()
        let promise = Promise { () async throws in log("ran") }.start(on: scheduler)
        scheduler.advance()
        #expect(log.lines == ["ran"])
        let cancelled = Promise { () async throws in log("ran again") }
        scheduler.schedule {
            cancelled.start()
            cancelled.cancel()
        }
        scheduler.advance()
        scheduler.finish()
        #expect(log.lines == ["ran"])
        #expect(promise.result?.error == nil && cancelled.result?.error is CancellationError)
    }

    @Test("cancelling a promise of async work cancels its task") func asyncCancelled() {
        let scheduler = TestScheduler()
        let log = Log()
        let (gate, resolver) = Promise<Int>.pending()
        let promise = Promise { () async throws -> Int in
            log("begins")
            let value = (try? await gate.value) ?? 0
            log(Task.isCancelled)
            return value
        }
        promise.start(on: scheduler)
        scheduler.run()
        #expect(log.lines == ["begins"])
        promise.cancel()
        scheduler.run()
        #expect(log.lines == ["begins", "true"])
        #expect(promise.result?.error is CancellationError)
        #expect(resolver.isCancelled)
        scheduler.finish()
    }

    @Test("cancelling one branch of shared async work does not cancel the work")
    func asyncShared() {
        let scheduler = TestScheduler()
        let (gate, resolver) = Promise<Int>.pending()
        let work = Promise { () async throws in try await gate.value }
        let (left, right) = (work.map { $0 }, work.map { $0 })
        left.start(on: scheduler)
        right.start(on: scheduler)
        scheduler.run()
        left.cancel()
        scheduler.run()
        #expect(!resolver.isCancelled)
        resolver.fulfill(3)
        scheduler.run()
        #expect(right.result?.value == 3)
        scheduler.finish()
    }

    @Test("a cancelled task can read a settled promise") func settled() async throws {
        let promise = Promise { $0.fulfill(1) }.start()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await promise.value
        }
        #expect(try await task.value == 1)
    }

    @Test("a task cancelled before it awaits does not start the work") func cancelledFirst() async {
        let runs = Counter()
        let promise = Promise { $0.fulfill(runs.up()) }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await promise.value
        }
        #expect(await task.result.error is CancellationError)
        #expect(runs.value == 0)
    }

    @Test("async work that is cancelled right after its start does not run")
    func cancelledBeforeTurn() {
        let scheduler = TestScheduler()
        let runs = Counter()
        let promise = Promise { () async throws in runs.up() }
        promise.start(on: scheduler)
        promise.cancel()
        scheduler.run()
        #expect(runs.value == 0)
        #expect(promise.result?.error is CancellationError)
        scheduler.finish()
    }

    @Test("async work that cancels its own task is rejected with the error that it throws")
    func cancelsItself() {
        let scheduler = TestScheduler()
        let log = Promise { () async throws -> Int in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await Promise { $0.fulfill(1) }.value
        }.start(on: scheduler).traced()
        scheduler.run()
        #expect(log.lines == ["!CancellationError()"])
        scheduler.finish()
    }

    @Test("R7: awaiting retains nothing") func frees() async throws {
        weak var token: Token?
        do {
            let held = Token()
            token = held
            let promise = Promise { () async throws in withExtendedLifetime(held) { 1 } }
            #expect(try await promise.map { value in withExtendedLifetime(held) { value } }.value == 1)
        }
        // The task releases its closure after the promise has settled; `run()` waits for that.
        let scheduler = TestScheduler()
        weak var other: Token?
        do {
            let held = Token()
            other = held
            let promise = Promise { () async throws in withExtendedLifetime(held) { 1 } }.start(on: scheduler)
            scheduler.run()
            #expect(promise.result?.value == 1)
        }
        #expect(other == nil)
        _ = token
    }
}
