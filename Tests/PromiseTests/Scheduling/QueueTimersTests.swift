import Dispatch
import TestSupport
import Testing

@testable import Promise

/// The timers of dispatch queues: in order, and gone when they are cancelled.
@Suite(.tags(.sharedState)) struct QueueTimersTests {
    @Test("a heap gives its timers in the order of deadlines, and of arming, whichever are removed")
    func heap() {
        for seed in firstSeed()...firstSeed() + UInt64(rounds(20, stress: 500)) {
            var random = SeededGenerator(seed: seed)
            var heap = TimerHeap()
            var expected: [(deadline: UInt64, number: Int, work: ScheduledWork)] = []
            for number in 0..<Int.random(in: 1...60, using: &random) {
                if number % 3 == 2, let place = expected.indices.randomElement(using: &random) {
                    heap.remove(expected.remove(at: place).work)
                }
                let (deadline, work) = (UInt64.random(in: 0...9, using: &random), ScheduledWork {})
                heap.insert(work, at: deadline)
                expected.append((deadline, number, work))
            }
            expected.sort { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
            #expect(heap.firstDeadline == expected.first?.deadline)
            for now in 0...9 as ClosedRange<UInt64> {
                while let work = heap.popFirst(until: now) {
                    let next = expected.removeFirst()
                    #expect(work === next.work && next.deadline <= now, "seed \(seed)")
                }
                #expect(expected.allSatisfy { $0.deadline > now }, "seed \(seed)")
            }
            #expect(heap.isEmpty)
        }
    }

    @Test("removing a timer that is not there, or not there any more, removes no other")
    func absent() {
        var heap = TimerHeap()
        let (first, second) = (ScheduledWork {}, ScheduledWork {})
        heap.insert(first, at: 1)
        heap.remove(second)
        heap.remove(first)
        heap.insert(second, at: 2)
        heap.remove(first)
        #expect(heap.popFirst(until: 2) === second && heap.isEmpty)
    }

    private final class Captured: Sendable {}

    @Test("R7: a cancelled timer is released with all that it refers to, on every scheduler")
    func released() {
        let schedulers: [any SerialScheduler] = [
            QueueScheduler.serial("timers"), MainScheduler.main, ImmediateScheduler.immediate,
        ]
        for scheduler in schedulers {
            weak var captured: Captured?
            weak var handle: ScheduledWork?
            do {
                let object = Captured()
                let timer = scheduler.schedule(after: .seconds(600)) { withExtendedLifetime(object) {} }
                (captured, handle) = (object, timer)
                timer.cancel()
            }
            #expect(captured == nil && handle == nil)
        }
    }

    @Test("R7: a promise that settles in time leaves no timer behind, nor does a cancelled delay")
    func operators() {
        let scheduler = QueueScheduler.serial("timers")
        weak var captured: Captured?
        do {
            let object = Captured()
            captured = object
            let (promise, resolver) = Promise<Int>.pending()
            promise.timeout(.seconds(600), on: scheduler).done { _ in withExtendedLifetime(object) {} }
            resolver.fulfill(1)
            let delayed = Promise.value(1).delay(.seconds(600), on: scheduler).tap { _ in
                withExtendedLifetime(object) {}
            }
            delayed.start()
            delayed.cancel()
        }
        #expect(captured == nil)
    }

    // Their order is shown by the heap: here each has the deadline of the instant at which it was armed.
    @Test("timers of one queue run once, as work of the scheduler")
    func run() async {
        let scheduler = QueueScheduler.serial("timers")
        let (log, done) = (Lock<[Int]>([]), AsyncStream.makeStream(of: Void.self))
        for number in (1...5).reversed() {
            scheduler.schedule(after: .milliseconds(number)) {
                let count = log.withLock { log in
                    log.append(scheduler.isCurrent ? number : 0)
                    return log.count
                }
                if count == 5 { done.continuation.finish() }
            }
        }
        for await _ in done.stream {}
        #expect(log.withLock { $0.sorted() } == Array(1...5))
    }
}
