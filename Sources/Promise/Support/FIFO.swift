/// First in, first out; constant time at both ends, and no allocation once it has grown.
@usableFromInline
package struct FIFO<Element> {
    @usableFromInline var elements: ContiguousArray<Element?> = []
    @usableFromInline var first = 0

    @inlinable
    package init() {}

    @inlinable package var isEmpty: Bool { first == elements.count }

    @inlinable
    package mutating func append(_ element: Element) { elements.append(element) }

    @inlinable
    package mutating func popFirst() -> Element? {
        guard first < elements.count else { return nil }
        let element = elements[first]
        elements[first] = nil
        first += 1
        if first == elements.count {
            // What a rush has left behind is given back.
            elements.removeAll(keepingCapacity: elements.capacity <= 4096)
            first = 0
        } else if first >= 1024, first * 2 > elements.count {
            // A queue that never runs empty must not grow for ever.
            elements.removeFirst(first)
            first = 0
        }
        return element
    }

    @inlinable
    package mutating func removeAll() { self = FIFO() }
}

extension FIFO: Sendable where Element: Sendable {}
