import PromisedTesting
import TestSupport
import Testing

@testable import Promise

/// A blocked main queue is reported.
@Suite(.tags(.sharedState)) struct MainQueueWatchTests {
    private let scheduler = TestScheduler()
    private let reports = Log()
    private let watch: MainQueueWatch

    init() {
        watch = MainQueueWatch(on: scheduler) { [reports] in reports($0.description) }
    }

    @Test("Work that waits one second for a blocked main queue is reported once")
    func reported() {
        #expect(scheduler.pendingCount == 0)
        watch.workEnqueued()
        watch.workEnqueued()
        scheduler.advance(by: .milliseconds(999))
        #expect(reports.lines.isEmpty)
        scheduler.advance(by: .milliseconds(1))
        #expect(
            reports.lines == [
                "Work has been waiting for the main queue for 1.0 seconds, and nothing serves it: the main thread is "
                    + "blocked. Await something in an async main or call dispatchMain(); or run the work elsewhere, "
                    + "as in subscribe(on: .serial(\"output\"))"
            ])
        watch.workEnqueued()
        scheduler.run()
        #expect(reports.lines.count == 1)
    }

    @Test("A main queue that is drained is not reported", arguments: [true, false])
    func served(isBeforeWork: Bool) {
        if isBeforeWork { watch.queueServed() }
        watch.workEnqueued()
        if !isBeforeWork { watch.queueServed() }
        scheduler.run()
        #expect(reports.lines.isEmpty)
    }

    @Test(
        "Work for the main queue is watched until it runs, except work that is not due",
        arguments: [true, false])
    func watched(isDelayed: Bool) async {
        let main = MainScheduler(watch)
        main.schedule(after: .seconds(3600)) {}.cancel()
        #expect(scheduler.pendingCount == 0)
        await withCheckedContinuation { continuation in
            if isDelayed {
                main.schedule(after: .zero) { continuation.resume() }
            } else {
                main.schedule { continuation.resume() }
            }
        }
        #expect(scheduler.pendingCount == 1)
        scheduler.run()
        #expect(reports.lines.isEmpty)
    }
}
