/// A first-in, first-out queue over a ring buffer. `append` and `popFirst` take amortised constant time and do not
/// allocate once the buffer has grown. The first element of an empty queue is stored inline, without a buffer.
@usableFromInline
package struct Deque<Element> {
    // The oldest element, if it was appended to an empty queue.
    @usableFromInline var inlineElement: Element?
    // The ring buffer; its capacity is 0 or a power of two.
    @usableFromInline var ring: ContiguousArray<Element?> = []
    @usableFromInline var first = 0
    @usableFromInline var count = 0

    @inlinable
    package init() {}

    @inlinable package var isEmpty: Bool { inlineElement == nil && count == 0 }

    /// The elements, the oldest first; in linear time.
    @inlinable package var all: [Element] {
        if isEmpty { return [] }
        return (inlineElement.map { [$0] } ?? [])
            + (0..<count).compactMap { ring[(first + $0) & (ring.count - 1)] }
    }

    @inlinable
    package mutating func append(_ element: Element) {
        if isEmpty { inlineElement = element } else { appendToRing(element) }
    }

    @inlinable
    mutating func appendToRing(_ element: Element) {
        if count == ring.count { resize(to: max(16, count * 2)) }
        ring[(first &+ count) & (ring.count &- 1)] = element
        count &+= 1
    }

    @inlinable
    package mutating func popFirst() -> Element? { inlineElement.take() ?? popFromRing() }

    @inlinable
    mutating func popFromRing() -> Element? {
        guard count > 0 else { return nil }
        let element = ring[first].take()
        first = (first &+ 1) & (ring.count &- 1)
        count &-= 1
        // Returns memory after a burst.
        if ring.count > 4096, count < ring.count / 8 { resize(to: ring.count / 2) }
        return element
    }

    package mutating func removeAll() { self = Deque() }

    @inlinable
    mutating func resize(to capacity: Int) {
        var larger = ContiguousArray<Element?>(repeating: nil, count: capacity)
        for index in 0..<count { larger[index] = ring[(first + index) & (ring.count - 1)].take() }
        (ring, first) = (larger, 0)
    }
}

extension Deque: Sendable where Element: Sendable {}
