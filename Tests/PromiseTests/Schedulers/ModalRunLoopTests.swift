import PromisedTesting
import TestSupport
import Testing

@testable import Promise

/// Work on the main thread that runs the main queue itself, as a modal run loop does.
@Suite(.tags(.sharedState)) struct ModalRunLoopTests {
    /// A main queue that is run by the test.
    private final class Queue: Sendable {
        private let items = Lock(Deque<StoredClosure>())

        func add(_ work: @escaping @Sendable () -> Void) { items.withLock { $0.append(StoredClosure(work)) } }

        func run() {
            while let item = items.withLock({ $0.popFirst() }) { item.run() }
        }
    }

    @Test(
        "work that is queued before a nested run loop runs inside it; what was scheduled by work runs after that",
        arguments: [true, false], 0...3)
    @MainActor func nested(_ isDelivered: Bool, _ count: Int) {
        let (queue, log) = (Queue(), Log())
        let scheduler = MainScheduler(MainQueueWatch(on: TestScheduler()), enqueueOnMain: queue.add)
        @Sendable func fromAnotherThread(_ work: @escaping @Sendable () -> Void) {
            _ = onThreads { scheduler.schedule(work) }
        }
        let modal: @Sendable () -> Void = {
            log("enter")
            scheduler.schedule { log("scheduled before") }
            for number in 0..<count {
                fromAnotherThread {
                    log("queued \(number): \(Trampoline.runningScheduler === scheduler)")
                    scheduler.schedule { log("by queued \(number)") }
                }
            }
            queue.run()
            log("loop ended: \(Trampoline.runningScheduler === scheduler)")
            scheduler.schedule { log("scheduled after") }
            log("leave")
        }
        if isDelivered {
            fromAnotherThread(modal)
            #expect(log.lines.isEmpty)
            queue.run()
        } else {
            scheduler.schedule(modal)
        }
        // While others are queued, what is scheduled is queued behind them.
        let inside =
            (0..<count).map { "queued \($0): true" } + (0..<max(count - 1, 0)).map { "by queued \($0)" }
        let last = count > 0 ? ["by queued \(count - 1)"] : []
        let insideToo = count > 1 ? last : []
        let afterwards = count == 1 ? last : []
        #expect(
            log.lines == ["enter"] + inside + insideToo + ["loop ended: true", "leave", "scheduled before"]
                + afterwards + ["scheduled after"])
        // Nothing is left behind: work runs inline again.
        scheduler.schedule { log("inline") }
        #expect(log.lines.last == "inline")
    }
}
