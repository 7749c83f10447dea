import Foundation
import Promise
import PromisedSystem
import PromisedTesting
import Synchronization

/// The same counters without an explorer: the cost of the steps alone.
enum Floor {
    static func steps(_ count: Int) -> Double {
        let calls = Mutex<[Int: Resolver<Counters.Event>]>([:])
        let scheduler = TestScheduler()
        let system = System(
            initialState: Counters.State(), scheduler: scheduler, reducer: Counters.reducer,
            feedbacks: [
                .react(requests: { state in Set((0..<3).filter { state[$0].isSaving }) }) { index in
                    Promise<Counters.Event> { resolver in calls.withLock { $0[index] = resolver } }
                        .mapErrorRecover { _ in .failed(index) }
                }
            ])
        scheduler.run()
        let clock = ContinuousClock()
        let start = clock.now
        for step in 0..<count / 2 {
            scheduler.runAsCurrent { system.sendEvent(.tap(step % 3)) }
            let call = calls.withLock { $0.removeValue(forKey: step % 3) }
            scheduler.runAsCurrent { _ = call?.fulfill(.saved(step % 3)) }
        }
        let time = clock.now - start
        return Double(count) / (Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
    }
}
