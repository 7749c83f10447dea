internal import Foundation

/// The names of values in the order in which they are dropped: a binary heap.
struct DropQueue<Name: Sendable>: Sendable {
    struct DropCandidate: Sendable {
        let name: Name
        var deadline = Date.distantPast
        let priority: Int
        let number: Int

        fileprivate func comesBefore(_ other: DropCandidate) -> Bool {
            (deadline, priority, number) < (other.deadline, other.priority, other.number)
        }
    }

    private var entries: [DropCandidate] = []

    var count: Int { entries.count }
    var first: DropCandidate? { entries.first }

    mutating func insert(_ entry: DropCandidate) {
        entries.append(entry)
        var index = entries.count - 1
        while index > 0, entries[index].comesBefore(entries[(index - 1) / 2]) {
            entries.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func popFirst() -> DropCandidate? {
        guard let last = entries.indices.last else { return nil }
        entries.swapAt(0, last)
        let first = entries.removeLast()
        var index = 0
        while 2 * index + 1 < last {
            var child = 2 * index + 1
            if child + 1 < last, entries[child + 1].comesBefore(entries[child]) { child += 1 }
            guard entries[child].comesBefore(entries[index]) else { break }
            entries.swapAt(child, index)
            index = child
        }
        return first
    }

    /// Removes what does not satisfy a condition, up to the first that does.
    mutating func popFirst(where isPresent: (DropCandidate) -> Bool) -> DropCandidate? {
        while let entry = popFirst() { if isPresent(entry) { return entry } }
        return nil
    }
}
