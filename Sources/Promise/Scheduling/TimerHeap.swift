/// Pending timers, in a binary heap: each is due no later than those at twice its place, plus one and plus two.
struct TimerHeap: Sendable {
    private struct HeapTimer: Sendable {
        let work: ScheduledWork
        let deadline: UInt64
        /// Of two with one deadline, the one that was armed first is due first.
        let number: UInt64

        func isDue(before other: HeapTimer) -> Bool { (deadline, number) < (other.deadline, other.number) }
    }

    private var timers: ContiguousArray<HeapTimer> = []
    private var lastNumber: UInt64 = 0

    var isEmpty: Bool { timers.isEmpty }
    var firstDeadline: UInt64? { timers.first?.deadline }

    mutating func insert(_ work: ScheduledWork, at deadline: UInt64) {
        lastNumber &+= 1
        timers.append(HeapTimer(work: work, deadline: deadline, number: lastNumber))
        rise(from: timers.count - 1)
    }

    /// Removes the first timer if it is due by then.
    mutating func popFirst(until now: UInt64) -> ScheduledWork? {
        guard let first = timers.first, first.deadline <= now else { return nil }
        remove(at: 0)
        return first.work
    }

    mutating func remove(_ work: ScheduledWork) {
        let place = work.place
        if timers.indices.contains(place), timers[place].work === work { remove(at: place) }
    }

    private mutating func remove(at place: Int) {
        timers.swapAt(place, timers.count - 1)
        timers.removeLast().work.place = -1
        // Returns memory after a burst.
        if timers.capacity > 64, timers.count < timers.capacity / 4 { timers = ContiguousArray(timers[...]) }
        guard place < timers.count else { return }
        rise(from: place)
        sink(from: place)
    }

    /// Moves a timer towards the first place until its parent is due earlier.
    private mutating func rise(from start: Int) {
        var place = start
        while place > 0, timers[place].isDue(before: timers[(place - 1) / 2]) {
            timers.swapAt(place, (place - 1) / 2)
            timers[place].work.place = place
            place = (place - 1) / 2
        }
        timers[place].work.place = place
    }

    /// Moves a timer away from the first place until its children are due later.
    private mutating func sink(from start: Int) {
        var place = start
        while 2 * place + 1 < timers.count {
            let (left, right) = (2 * place + 1, 2 * place + 2)
            let isRight = right < timers.count && timers[right].isDue(before: timers[left])
            let child = isRight ? right : left
            guard timers[child].isDue(before: timers[place]) else { break }
            timers.swapAt(place, child)
            timers[place].work.place = place
            place = child
        }
        timers[place].work.place = place
    }
}
