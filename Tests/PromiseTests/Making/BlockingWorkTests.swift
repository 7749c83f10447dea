import Promise
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct BlockingWorkTests {
    private struct Full: Error, Equatable {}

    @Test("Work on a scheduler runs there, once, when it is first observed") func there() async throws {
        let disk = QueueScheduler.serial("disk")
        let log = Log()
        let work = Promise(on: disk) {
            log.add(disk.isCurrent ? "on the disk" : "elsewhere")
            return 3
        }
        #expect(log.lines.isEmpty)
        #expect(try await work.value == 3)
        #expect(try await work.value == 3)
        #expect(log.lines == ["on the disk"])
    }

    @Test("Work that throws rejects the promise") func throwing() {
        let scheduler = TestScheduler()
        let work = Promise<Int>(on: scheduler) { throw Full() }.start()
        #expect(work.result == nil)
        scheduler.advance()
        #expect(throws: Full()) { try work.result?.get() }
    }

    @Test("Work items run serially, in the order in which they were started") func inOrder() {
        let scheduler = TestScheduler()
        let log = Log()
        let pieces = (0..<5).map { number in Promise(on: scheduler) { log.add("\(number)") } }
        for piece in pieces.reversed() { piece.start() }
        #expect(log.lines.isEmpty)
        scheduler.advance()
        #expect(log.lines == ["4", "3", "2", "1", "0"])
    }

    @Test("Work that is cancelled while it is scheduled does not run, and is removed from the scheduler")
    func cancelled() {
        let scheduler = TestScheduler()
        let log = Log()
        let work = Promise(on: scheduler) { log.add("ran") }
        scheduler.schedule {
            work.start(on: scheduler)
            log.add("waiting: \(scheduler.pendingCount)")
            work.cancel()
            log.add("waiting: \(scheduler.pendingCount)")
        }
        scheduler.advance()
        #expect(log.lines == ["waiting: 1", "waiting: 0"])
        #expect(throws: CancellationError.self) { try work.result?.get() }
    }

    @Test("Work that is cancelled while scheduled on another scheduler than the chain's does not run")
    func cancelledElsewhere() {
        let (queue, chain) = (TestScheduler(), TestScheduler())
        let log = Log()
        let work = Promise(on: queue) { log.add("ran") }.start(on: chain)
        chain.advance()
        #expect(queue.pendingCount == 1)
        work.cancel()
        queue.advance()
        #expect(log.lines.isEmpty)
        #expect(throws: CancellationError.self) { try work.result?.get() }
    }

    @Test("A test clock reports the origin of work that is pending on a queue that it does not advance")
    func outsideOfTheClock() {
        let (queue, chain) = (TestScheduler(), TestScheduler())
        let line = #line + 1
        let work = Promise(on: queue) { 3 }.start(on: chain)
        let texts = TestReport.collect { chain.finish() }.map(\.message)
        #expect(texts.count == 1)
        #expect(texts.first?.contains("PromiseTests/BlockingWorkTests.swift:\(line)") == true)
        queue.advance()
        #expect(TestReport.collect { chain.finish() }.isEmpty)
        #expect(throws: Never.self) { try work.result?.get() }
    }

    @Test("Work that is asked for no more while it runs learns of it, and its value is discarded")
    func cancelledMeanwhile() {
        let (queue, chain) = (TestScheduler(), TestScheduler())
        let log = Log()
        let (given, resolver) = Promise<Promise<Int>>.pending()
        let work = Promise<Int>(on: queue) { isCancelled in
            log.add("cancelled: \(isCancelled())")
            try? given.result?.get().cancel()
            log.add("cancelled: \(isCancelled())")
            return 3
        }
        .start(on: chain)
        resolver.fulfill(work)
        chain.advance()
        queue.advance()
        #expect(log.lines == ["cancelled: false", "cancelled: true"])
        #expect(throws: CancellationError.self) { try work.result?.get() }
    }

    @Test("Work with the question for its cancellation runs, throws and is skipped like other work")
    func asking() throws {
        let queue = TestScheduler()
        let log = Log()
        let good = Promise(on: queue) { isCancelled in isCancelled() ? 0 : 3 }.start()
        let bad = Promise<Int>(on: queue) { _ in throw Full() }.start()
        let skipped = Promise(on: queue) { _ in log.add("ran") }.start()
        skipped.cancel()
        queue.advance()
        #expect(try good.result?.get() == 3)
        #expect(throws: Full()) { try bad.result?.get() }
        #expect(log.lines.isEmpty)
    }

    @Test("Delays and time limits behind the work use the clock of the chain") func clock() throws {
        let (queue, chain) = (TestScheduler(), TestScheduler())
        let late = Promise(on: queue) { "done" }.delay(.seconds(2)).start(on: chain)
        chain.advance(by: .seconds(5))
        queue.advance(by: .seconds(5))
        #expect(late.result == nil)
        chain.advance(by: .seconds(2))
        #expect(try late.result?.get() == "done")
    }
}
