import Dispatch
import Foundation
import Synchronization

/// Two threads, one on either side of the same row of promises.
enum Duel {
    /// Where the handlers leave what they hear, each in a place of its own, so that they do not contend.
    @exclusivity(unchecked) nonisolated(unsafe) static var heard =
        UnsafeMutablePointer<Int>.allocate(capacity: 1)

    /// Runs both sides for every index, then `end`, in wall time, with what was allocated meanwhile.
    ///
    /// The sides wait for each other every 100 rounds, so that neither runs away.
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

/// Where threads meet: each arrival is counted, and who waits sees them all.
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
