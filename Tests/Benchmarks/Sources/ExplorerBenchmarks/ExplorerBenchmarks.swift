import Foundation
import MemoryCounting
import PromisedExploring
import Synchronization

/// Measures how fast three counters are explored, on one core, and how the time grows with the depth.
@main
enum ExplorerBenchmarks {
    static let repeats = 7

    static func main() {
        let floors = (0..<repeats).map { _ in Floor.steps(100_000) }.sorted()
        print(
            "the same steps without an explorer: \(Int(floors[repeats / 2])) / \(Int(floors[repeats - 1])) a second\n"
        )
        print(
            "| depth | configurations | transitions | systems | steps | transitions/s | steps/s | B a configuration |"
        )
        print("|---|---|---|---|---|---|---|---|")
        for depth in [4, 8, 12, 16, 20, 24, 28, 32] { print(line(depth)) }
    }

    /// Rates are the median and the best of the repeats.
    private static func line(_ depth: Int) -> String {
        var times: [Double] = []
        var found = Counters.explorer().explore(depth: 1) { _ in }
        for _ in 0..<repeats {
            let start = ContinuousClock.now
            found = Counters.explorer().explore(depth: depth) { _ in }
            let time = ContinuousClock.now - start
            times.append(Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
        }
        times.sort()
        func rate(_ count: Int) -> String {
            "\(Int(Double(count) / times[repeats / 2])) / \(Int(Double(count) / times[0]))"
        }
        return
            "| \(depth) | \(found.configurations) | \(found.transitions) | \(found.paths) | \(found.steps) | "
            + "\(rate(found.transitions)) | \(rate(found.steps)) | \(peak(depth) / found.configurations) |"
    }

    /// The most memory in use beyond the start, measured whenever a system is built.
    private static func peak(_ depth: Int) -> Int {
        let before = Int(bytes_in_use())
        let most = Mutex(0)
        _ = Counters.explorer { most.withLock { $0 = max($0, Int(bytes_in_use()) - before) } }
            .explore(depth: depth) { _ in }
        return most.withLock { $0 }
    }
}
