/// The access to the elements of one kind of collection: by identity, by index or by key.
///
/// Scopes to an element, paths to all elements and subscriptions to elements are made from it.
@usableFromInline
protocol ElementLocator: Sendable {
    associatedtype Container
    associatedtype Element: Sendable
    associatedtype ID: Hashable & Sendable
    /// The last known place of an element; `Never` where a lookup does not use it.
    associatedtype Place: Sendable

    /// Returns the element, or nil if the collection has none with this identity.
    ///
    /// - Parameter place: Where it was at the last lookup; updated to where it is now.
    func find(
        _ id: ID, in elements: borrowing Container, _ place: inout Place?, _ search: inout ElementSearch<ID>
    ) -> Element?

    /// Whether an element is known to be unchanged without calling `==`; false if that would have to be called.
    func isUntouched(_ last: inout Element?, _ id: ID, in elements: borrowing Container, _ place: Place?)
        -> Bool

    /// Calls the closure with each element, in order.
    func visit(_ elements: borrowing Container, _ body: (ID, Element) -> Void)

    /// Mutates an element in place; a no-op if it is absent.
    func modify(_ id: ID, in elements: inout Container, _ change: (inout Element) -> Void)

    /// Mutates every element in place.
    func modifyAll(in elements: inout Container, _ change: (inout Element) -> Void)

    /// Mutates an element, and removes it if it becomes nil; a no-op if it is absent.
    func change(_ id: ID, in elements: inout Container, _ change: (inout Element?) -> Void)
}

extension ElementLocator {
    @inlinable
    func get(_ id: ID, in elements: borrowing Container) -> Element? {
        var (place, search) = (Place?.none, ElementSearch<ID>())
        return find(id, in: elements, &place, &search)
    }
}

extension ElementLocator
where Container: KnownContainer, Element == Container.ElementState, ID == Container.ElementID {
    // No place is near: a single lookup knows none.
    @inlinable
    func modify(_ id: ID, in elements: inout Container, _ change: (inout Element) -> Void) {
        _ = elements.changeElement(id, near: -1, change)
    }

    @inlinable
    func modifyAll(in elements: inout Container, _ change: (inout Element) -> Void) {
        elements.changeAll(change)
    }

    @inlinable
    func change(_ id: ID, in elements: inout Container, _ change: (inout Element?) -> Void) {
        var isRemoved = false
        _ = elements.changeElement(id, near: -1) { element in
            var changed: Element? = element
            change(&changed)
            if let changed { element = changed } else { isRemoved = true }
        }
        if isRemoved { elements.removeElement(id) }
    }
}

/// Locates elements of an array by index.
@usableFromInline
struct LocatorByIndex<Element: Sendable>: ElementLocator {
    @usableFromInline typealias Place = Never

    @inlinable
    init() {}

    @inlinable
    func find(
        _ index: Int, in elements: borrowing [Element], _ place: inout Place?,
        _ search: inout ElementSearch<Int>
    ) -> Element? {
        elements.indices.contains(index) ? elements[index] : nil
    }

    @inlinable
    func isUntouched(
        _ last: inout Element?, _ index: Int, in elements: borrowing [Element], _ place: Place?
    ) -> Bool {
        elements.hasSameBits(at: index, as: &last)
    }

    @inlinable
    func visit(_ elements: borrowing [Element], _ body: (Int, Element) -> Void) {
        for place in elements.indices { body(place, elements[place]) }
    }

    @inlinable
    func modify(_ index: Int, in elements: inout [Element], _ change: (inout Element) -> Void) {
        if elements.indices.contains(index) { change(&elements[index]) }
    }

    @inlinable
    func modifyAll(in elements: inout [Element], _ change: (inout Element) -> Void) {
        for place in elements.indices { change(&elements[place]) }
    }

    @inlinable
    func change(_ index: Int, in elements: inout [Element], _ change: (inout Element?) -> Void) {
        guard elements.indices.contains(index) else { return }
        var element: Element? = elements[index]
        change(&element)
        if let element { elements[index] = element } else { elements.remove(at: index) }
    }
}

/// Locates elements of an array, or of an identified array, by identity. It first tries the last known place, shifted as
/// far as the element before it was.
@usableFromInline
struct LocatorByID<Container: ArrayContainer>: ElementLocator
where Container.ElementState: Sendable, Container.ElementID: Sendable {
    @usableFromInline typealias Element = Container.ElementState
    @usableFromInline typealias ID = Container.ElementID

    @inlinable
    init() {}

    @inlinable
    func find(
        _ id: ID, in elements: borrowing Container, _ place: inout Int?, _ search: inout ElementSearch<ID>
    ) -> Element? {
        let rows = elements.elements
        let guess = place.map { $0 &+ search.shift } ?? -1
        let found = rows.has(id, at: guess) ? guess : elements.place(of: id, &search)
        if let found, let place { search.shift = found &- place }
        place = found
        return found.map { rows[$0] }
    }

    // Bitwise equality implies the same identity.
    @inlinable
    func isUntouched(_ last: inout Element?, _ id: ID, in elements: borrowing Container, _ place: Int?)
        -> Bool
    {
        guard let place else { return false }
        return elements.elements.hasSameBits(at: place, as: &last)
    }

    @inlinable
    func visit(_ elements: borrowing Container, _ body: (ID, Element) -> Void) {
        for element in elements.elements { body(element.id, element) }
    }
}

/// Locates values of a dictionary by key.
@usableFromInline
struct LocatorByKey<Key: Hashable & Sendable, Value: Sendable>: ElementLocator {
    @usableFromInline typealias Place = Never

    @inlinable
    init() {}

    @inlinable
    func find(
        _ key: Key, in elements: borrowing [Key: Value], _ place: inout Place?,
        _ search: inout ElementSearch<Key>
    ) -> Value? {
        elements[key]
    }

    @inlinable
    func isUntouched(
        _ last: inout Value?, _ key: Key, in elements: borrowing [Key: Value], _ place: Place?
    ) -> Bool { false }

    @inlinable
    func visit(_ elements: borrowing [Key: Value], _ body: (Key, Value) -> Void) {
        for place in elements.indices { body(elements.keys[place], elements.values[place]) }
    }

    // Moves the value out and back, so that it is changed without a copy.
    @inlinable
    func change(_ key: Key, in elements: inout [Key: Value], _ change: (inout Value?) -> Void) {
        if elements[key] != nil { change(&elements[key]) }
    }
}

extension Array {
    /// Whether the element at a place is bitwise equal to the given one.
    ///
    /// If it is, it is unchanged, which is established without copying, retaining or calling `==`; this includes values
    /// that are not equal to themselves, such as NaN. If it is not, nothing is known, and the caller has to compare
    /// with `==`. Unsafe but sound: it reads only the bytes of two values that are retained meanwhile, and an optional
    /// stores its value at its beginning.
    @inlinable
    func hasSameBits(at place: Int, as last: inout Element?) -> Bool {
        guard indices.contains(place), case .some = last else { return false }
        return withUnsafeBytes { elements in
            Swift.withUnsafeBytes(of: &last) { last in
                let size = MemoryLayout<Element>.size
                // Without a check for overflow: the array holds an element there.
                let start = place &* MemoryLayout<Element>.stride
                var byte = 0
                while byte + 8 <= size {
                    let now = elements.loadUnaligned(fromByteOffset: start + byte, as: UInt64.self)
                    if now != last.loadUnaligned(fromByteOffset: byte, as: UInt64.self) { return false }
                    byte += 8
                }
                while byte < size {
                    if elements[start + byte] != last[byte] { return false }
                    byte += 1
                }
                return true
            }
        }
    }
}
