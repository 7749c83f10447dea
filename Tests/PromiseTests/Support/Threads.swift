import Dispatch
import Foundation
import Promise
import Synchronization
import Testing

/// Runs each of `bodies` to its end on a thread of its own with `stack` bytes of stack, all at a time.
func onThreads<Result: Sendable>(
    stack: Int = 512 << 10, _ bodies: (@Sendable () -> Result)...
) -> [Result] {
    let done = DispatchGroup()
    let results = bodies.map { body in
        let result = Box<Result>()
        let thread = Thread {
            result.value = body()
            done.leave()
        }
        thread.stackSize = stack
        done.enter()
        thread.start()
        return result
    }
    done.wait()
    return results.map { $0.value! }
}

/// Tests that keep both cores busy, one at a time.
@Suite(.serialized) struct Heavy {}

/// Runs `contenders` on a thread each, all of them for round 0, then all for round 1, and so on; they wait
/// for each other every few rounds, so that none runs away and a busy machine is not slowed down further.
func race(_ count: Int, _ contenders: [@Sendable (Int) -> Void]) {
    let arrived = Meeting()
    let done = DispatchGroup()
    for contender in contenders {
        done.enter()
        Thread.detachNewThread {
            for round in 0..<count {
                if round % 8 == 0 { arrived.wait(for: (round / 8 + 1) * contenders.count) }
                contender(round)
            }
            done.leave()
        }
    }
    done.wait()
}

func race(_ count: Int, _ contenders: (@Sendable (Int) -> Void)...) { race(count, contenders) }

/// Where the contenders of a race meet before each round.
private final class Meeting: Sendable {
    private let arrivals = Atomic(0)

    func wait(for all: Int) {
        var seen = arrivals.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
        var turns = 0
        while seen < all {
            turns += 1
            if turns > 200 { sched_yield() }
            seen = arrivals.load(ordering: .acquiring)
        }
    }
}
