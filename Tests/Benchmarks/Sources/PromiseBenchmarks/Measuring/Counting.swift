import MemoryCounting

/// Runs `contender` once, untimed, counting its allocations and measuring its memory.
func count(_ contender: Contender, _ operations: Int) -> Sample {
    count_allocations(true)
    Growth.watch(true)
    defer {
        count_allocations(false)
        Growth.watch(false)
    }
    return contender.run(operations)
}

/// Stops the program if allocations cannot be counted in this process.
func checkThatAllocationsAreCounted() {
    guard can_count_allocations() else {
        return print("Allocations are counted with glibc only: here they all read 0.\n")
    }
    let boxes = Contender(name: "boxes") { operations in
        let stopwatch = Stopwatch(.thread)
        for index in 0..<operations { Box.last = Box(index) }
        return stopwatch.stop()
    }
    let sample = count(boxes, 1_000)
    guard sample.allocations == 1_000 else { fatalError("1,000 objects counted as \(sample.allocations)") }
}

private final class Box {
    nonisolated(unsafe) static var last: Box?
    let value: Int
    init(_ value: Int) { self.value = value }
}
