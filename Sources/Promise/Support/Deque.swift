/// First in, first out: a ring; constant time at both ends, and no allocation once it has grown. One that comes
/// alone stays outside.
@usableFromInline
package struct Deque<Element> {
    // The oldest, if it came when there was no other.
    @usableFromInline var alone: Element?
    // As many as a power of two.
    @usableFromInline var places: ContiguousArray<Element?> = []
    @usableFromInline var first = 0
    @usableFromInline var count = 0

    @inlinable
    package init() {}

    @inlinable package var isEmpty: Bool { alone == nil && count == 0 }

    /// What is in it, the oldest first.
    @inlinable package var all: [Element] {
        if isEmpty { return [] }
        return (alone.map { [$0] } ?? [])
            + (0..<count).compactMap { places[(first + $0) & (places.count - 1)] }
    }

    @inlinable
    package mutating func append(_ element: Element) {
        if isEmpty { alone = element } else { appendToRing(element) }
    }

    @inlinable
    mutating func appendToRing(_ element: Element) {
        if count == places.count { resize(to: max(16, count * 2)) }
        places[(first &+ count) & (places.count &- 1)] = element
        count &+= 1
    }

    @inlinable
    package mutating func popFirst() -> Element? { alone.take() ?? popFromRing() }

    @inlinable
    mutating func popFromRing() -> Element? {
        guard count > 0 else { return nil }
        let element = places[first].take()
        first = (first &+ 1) & (places.count &- 1)
        count &-= 1
        // What a rush has left behind is given back.
        if places.count > 4096, count < places.count / 8 { resize(to: places.count / 2) }
        return element
    }

    @inlinable
    package mutating func removeAll() { self = Deque() }

    @inlinable
    mutating func resize(to capacity: Int) {
        var larger = ContiguousArray<Element?>(repeating: nil, count: capacity)
        for index in 0..<count { larger[index] = places[(first + index) & (places.count - 1)].take() }
        (places, first) = (larger, 0)
    }
}

extension Deque: Sendable where Element: Sendable {}
