import Foundation
import MemoryCounting
import PromisedExploring
import Synchronization

/// Measures how fast machines are explored, and how time and memory grow with the depth.
@main
enum ExplorerBenchmarks {
    static let repeats = 3

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "--loop" { return loop(arguments.dropFirst()) }
        let floors = (0..<repeats).map { _ in Floor.steps(100_000) }.sorted()
        print(
            "the same steps without an explorer: \(Int(floors[repeats / 2])) / \(Int(floors[repeats - 1])) a second\n"
        )
        print(
            "| machine | depth | configurations | transitions | inferred | systems | steps | transitions/s | B a configuration |"
        )
        print("|---|---|---|---|---|---|---|---|---|")
        for depth in [8, 16, 32] { line("counters", depth, Counters.explorer) }
        for depth in [20, 60, 150] { line("dials", depth, Machines.Dials.explorer) }
        for depth in [6, 8, 12] { line("asking", depth, Machines.Asking.explorer) }
        print(
            "\n| machine | depth | configurations | states | explored | saved | file | B a configuration | resumed |"
        )
        print("|---|---|---|---|---|---|---|---|---|")
        Stored.line("counters", 32, Counters.explorer)
        Stored.line("dials", 80, Machines.Dials.explorer)
        Stored.line("asking", 14, Machines.Asking.explorer)
    }

    /// Explores one machine once, for a profiler: `--loop dials 20`.
    private static func loop(_ arguments: ArraySlice<String>) {
        let depth = arguments.last.flatMap { Int($0) } ?? 8
        switch arguments.first {
        case "counters": explored(Counters.explorer(), depth)
        case "dials": explored(Machines.Dials.explorer(), depth)
        case "asking": explored(Machines.Asking.explorer(), depth)
        case "asked": explored(Asked.explorer(), depth)
        default: print("--loop counters|dials|asking|asked DEPTH")
        }
    }

    private static func explored<State, Event>(_ explorer: Explorer<State, Event>, _ depth: Int) {
        print(explorer.explore(depth: depth) { _ in }.transitions)
    }

    /// Rates are the median and the best of the repeats; inferred transitions count as well.
    private static func line<State, Event>(
        _ name: String, _ depth: Int, _ make: (@escaping @Sendable () -> Void) -> Explorer<State, Event>
    ) {
        guard CommandLine.arguments.count == 1 || CommandLine.arguments.contains(name) else { return }
        var times: [Double] = []
        var found = make({}).explore(depth: 1) { _ in }
        for _ in 0..<repeats {
            let start = ContinuousClock.now
            found = make({}).explore(depth: depth) { _ in }
            let time = ContinuousClock.now - start
            times.append(Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
        }
        times.sort()
        let count = Double(found.transitions + found.inferredTransitions)
        let rate = "\(Int(count / times[repeats / 2])) / \(Int(count / times[0]))"
        print(
            "| \(name) | \(depth) | \(found.configurations) | \(found.transitions) | "
                + "\(found.inferredTransitions) | \(found.paths) | \(found.steps) | \(rate) | "
                + "\(peak(depth, make) / found.configurations) |")
    }

    /// The most memory in use beyond the start, measured whenever a system is built and at the end.
    private static func peak<State, Event>(
        _ depth: Int, _ make: (@escaping @Sendable () -> Void) -> Explorer<State, Event>
    ) -> Int {
        let before = Int(bytes_in_use())
        let most = Mutex(0)
        let note: @Sendable () -> Void = { most.withLock { $0 = max($0, Int(bytes_in_use()) - before) } }
        _ = make(note).explore(depth: depth) { _ in note() }
        return most.withLock { $0 }
    }
}
