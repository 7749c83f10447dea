import Dispatch
import Foundation
import Synchronization

/// Runs each of `contenders` on its own thread for rounds 0, 1, and so on. They wait for each other every
/// eight rounds: often enough to contend, seldom enough not to slow down a busy machine.
public func race(_ count: Int, _ contenders: [@Sendable (Int) -> Void]) {
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

/// The same with the contenders listed.
public func race(_ count: Int, _ contenders: (@Sendable (Int) -> Void)...) { race(count, contenders) }

/// The barrier at which the contenders of a race wait for each other.
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
