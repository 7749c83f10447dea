import Dispatch
import TestSupport
import Testing

@testable import Promise

/// Schedulers over dispatch queues.
@Suite(.tags(.sharedState)) struct QueueSchedulerTests {
    @Test("A scheduler over a concurrent queue runs its work there, serially and in order")
    func overConcurrentQueue() async {
        let key = DispatchSpecificKey<Bool>()
        let queue = DispatchQueue(label: "concurrent", qos: .utility, attributes: .concurrent)
        queue.setSpecific(key: key, value: true)
        let scheduler = QueueScheduler(queue: queue)
        let running = Lock(0)
        let log = Lock<[Int]>([])
        for number in 0..<1000 {
            scheduler.schedule {
                let isAlone = running.withLock {
                    $0 += 1; return $0 == 1
                }
                let isThere = DispatchQueue.getSpecific(key: key) == true && scheduler.isCurrent
                log.withLock { $0.append(isAlone && isThere ? number : -1) }
                running.withLock { $0 -= 1 }
            }
        }
        await withCheckedContinuation { continuation in scheduler.schedule { continuation.resume() } }
        #expect(log.withLock { $0 } == Array(0..<1000))
    }

    @Test("A scheduler over a serial queue never runs concurrently with other work on that queue")
    func overSerialQueue() async {
        let queue = DispatchQueue(label: "serial")
        let scheduler = QueueScheduler(queue: queue, label: "ours")
        let running = Lock(0)
        let overlaps = Lock(0)
        let work: @Sendable () -> Void = {
            let isAlone = running.withLock {
                $0 += 1; return $0 == 1
            }
            if !isAlone { overlaps.withLock { $0 += 1 } }
            running.withLock { $0 -= 1 }
        }
        for _ in 0..<1000 {
            queue.async(execute: work)
            scheduler.schedule(work)
        }
        await withCheckedContinuation { continuation in scheduler.schedule { continuation.resume() } }
        #expect(overlaps.withLock { $0 } == 0)
    }

    @Test("A serial scheduler with a quality of service runs its work in order")
    func qualityOfService() async {
        let scheduler = QueueScheduler.serial("utility", qos: .utility)
        let log = Lock<[Int]>([])
        for number in 0..<100 { scheduler.schedule { log.withLock { $0.append(number) } } }
        await withCheckedContinuation { continuation in scheduler.schedule { continuation.resume() } }
        #expect(log.withLock { $0 } == Array(0..<100))
    }

    @Test(
        "A queue scheduler has the given label or its queue's label, and the quality of service")
    func labels() {
        let queue = DispatchQueue(label: "database")
        #expect(QueueScheduler(queue: queue).queue.label == "database")
        #expect(QueueScheduler(queue: queue, label: "ours").queue.label == "ours")
        #expect(QueueScheduler.serial("output").queue.label == "output")
        #expect(QueueScheduler.serial("output", qos: .utility).queue.label == "output")
        #expect(QueueScheduler.serial("output", qos: .utility).queue.qos == .utility)
    }
}
