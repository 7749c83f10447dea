import Foundation
import MemoryCounting

/// The cost of one run of a loop.
struct Sample: Sendable {
    var nanoseconds = 0.0
    /// Zero while allocations are not counted.
    var allocations = 0
    /// How far the memory in use rose above its level at the start, if the loop measured it.
    var growth = 0
    /// The result of the loop: the same for ours and for the peers, or they did not do the same work.
    var sum = 0
}

enum Clock {
    case thread, process, wall

    var now: Double {
        let id =
            switch self {
            case .thread: CLOCK_THREAD_CPUTIME_ID
            case .process: CLOCK_PROCESS_CPUTIME_ID
            case .wall: CLOCK_MONOTONIC
            }
        var time = timespec()
        clock_gettime(id, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}

/// A measurement that has begun.
struct Stopwatch {
    private let clock: Clock
    private let allocations: Int64
    private let start: Double

    init(_ clock: Clock) {
        self.clock = clock
        Sink.sum = 0
        Growth.begin()
        allocations = counted_allocations()
        start = clock.now
    }

    func stop() -> Sample {
        let end = clock.now
        return Sample(
            nanoseconds: end - start, allocations: Int(counted_allocations() - allocations),
            growth: Growth.highest, sum: Sink.sum)
    }
}

/// Stores the results of the loops, so that nothing is optimised away.
enum Sink {
    @exclusivity(unchecked) nonisolated(unsafe) static var sum = 0
    /// What every closure captures and adds: unknown to the compiler.
    static let addend = CommandLine.arguments.count
}

/// How far the memory in use rises during a loop that calls ``look(_:)``.
enum Growth {
    @exclusivity(unchecked) nonisolated(unsafe) private static var isWatched = false
    @exclusivity(unchecked) nonisolated(unsafe) private static var start = 0
    @exclusivity(unchecked) nonisolated(unsafe) private(set) static var highest = 0

    /// Whether to measure: it takes time, so it is done in an untimed run.
    static func watch(_ isOn: Bool) { isWatched = isOn }

    static func begin() {
        start = Int(bytes_in_use())
        highest = 0
    }

    /// Measures at every 65,536th step.
    @inline(__always) static func look(_ step: Int) {
        if step & 0xFFFF == 0, isWatched { measure() }
    }

    @inline(never) private static func measure() { highest = max(highest, Int(bytes_in_use()) - start) }
}
