import Dispatch
import Foundation
import Synchronization

/// Two threads, one on either side of the same row of promises.
enum Duel {
    /// Stores what the handlers receive, each at its own place, so that they do not contend.
    @exclusivity(unchecked) nonisolated(unsafe) static var heard =
        UnsafeMutablePointer<Int>.allocate(capacity: 1)

    /// Runs both sides for every index, then `end`, in wall time, and counts the allocations.
    ///
    /// The sides wait for each other every 100 rounds, so that neither gets ahead.
    static func fight(
        _ rounds: Int, attach: @escaping @Sendable (Int) -> Void, fulfil: @escaping @Sendable (Int) -> Void,
        end: () -> Void = {}
    ) -> Sample {
        heard = .allocate(capacity: rounds)
        heard.initialize(repeating: 0, count: rounds)
        defer { heard.deallocate() }
        let meeting = Meeting()
        let done = DispatchGroup()
        for side in [attach, fulfil] {
            done.enter()
            Thread.detachNewThread {
                meeting.wait(for: 3)
                for round in 0..<rounds {
                    if round % 100 == 99 { meeting.wait(for: 3 + 2 * (round / 100 + 1)) }
                    side(round)
                }
                done.leave()
            }
        }
        meeting.wait(for: 2, arriving: false)
        let stopwatch = Stopwatch(.wall)
        meeting.wait(for: 3)
        done.wait()
        end()
        var sample = stopwatch.stop()
        sample.sum = (0..<rounds).reduce(0) { $0 &+ heard[$1] }
        return sample
    }
}

/// A meeting point of threads: each arrival is counted, and a waiting thread sees all of them.
final class Meeting: Sendable {
    private let arrivals = Atomic(0)

    func wait(for all: Int, arriving: Bool = true) {
        if arriving { arrivals.wrappingAdd(1, ordering: .acquiringAndReleasing) }
        var turns = 0
        while arrivals.load(ordering: .acquiring) < all {
            turns += 1
            if turns > 200 { sched_yield() }
        }
    }
}
