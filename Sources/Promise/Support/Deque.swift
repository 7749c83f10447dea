/// A first-in, first-out queue over a ring buffer. `append` and `popFirst` take amortised constant time and do not
/// allocate once the buffer has grown. The first element is stored inline: a queue of one element has no buffer.
@usableFromInline
package struct Deque<Element> {
    /// The oldest element; nil if the queue is empty.
    @usableFromInline package internal(set) var first: Element?
    // The elements behind the first one; the capacity is 0 or a power of two.
    @usableFromInline var ring: ContiguousArray<Element?> = []
    @usableFromInline var (start, count) = (0, 0)

    @inlinable
    package init() {}

    @inlinable package var isEmpty: Bool { first == nil }

    /// The elements, the oldest first; in linear time.
    @inlinable package var all: [Element] {
        if count == 0 { return first.map { [$0] } ?? [] }
        return ([first] + (0..<count).map { ring[(start + $0) & (ring.count - 1)] }).compactMap { $0 }
    }

    @inlinable
    package mutating func append(_ element: Element) {
        if first == nil { first = element } else { appendToRing(element) }
    }

    @inlinable
    mutating func appendToRing(_ element: Element) {
        if count == ring.count { resize(to: max(4, count * 2)) }
        ring[(start &+ count) & (ring.count &- 1)] = element
        count &+= 1
    }

    @inlinable
    package mutating func popFirst() -> Element? {
        // Checked first, since `take` moves the element even if there is none.
        guard !isEmpty, let element = first.take() else { return nil }
        if count > 0 { first = popFromRing() }
        return element
    }

    @inlinable
    mutating func popFromRing() -> Element? {
        let element = ring[start].take()
        start = (start &+ 1) & (ring.count &- 1)
        count &-= 1
        // Returns memory after a burst.
        if ring.count > 4096, count < ring.count / 8 { resize(to: ring.count / 2) }
        return element
    }

    package mutating func removeAll() { self = Deque() }

    @inlinable
    mutating func resize(to capacity: Int) {
        var larger = ContiguousArray<Element?>(repeating: nil, count: capacity)
        for index in 0..<count { larger[index] = ring[(start + index) & (ring.count - 1)].take() }
        (ring, start) = (larger, 0)
    }
}

extension Deque: Sendable where Element: Sendable {}
