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

/// The shared memory of lookups of several elements of one collection.
@usableFromInline
struct ElementSearch<ID: Hashable & Sendable>: Sendable {
    /// How far the element looked up before has moved.
    @usableFromInline var shift = 0
    @usableFromInline var misses = 0
    @usableFromInline var places: [ID: Int] = [:]

    @inlinable
    init() {}
}

extension ElementLocator {
    @inlinable
    func get(_ id: ID, in elements: borrowing Container) -> Element? {
        var (place, search) = (Place?.none, ElementSearch<ID>())
        return find(id, in: elements, &place, &search)
    }
}

/// Locates elements of an array.
@usableFromInline
protocol ArrayLocator: ElementLocator where Container == [Element] {
    func index(of id: ID, in elements: borrowing [Element]) -> Int?
}

extension ArrayLocator {
    @inlinable
    func modify(_ id: ID, in elements: inout [Element], _ change: (inout Element) -> Void) {
        if let place = index(of: id, in: elements) { change(&elements[place]) }
    }

    @inlinable
    func modifyAll(in elements: inout [Element], _ change: (inout Element) -> Void) {
        for place in elements.indices { change(&elements[place]) }
    }

    @inlinable
    func change(_ id: ID, in elements: inout [Element], _ change: (inout Element?) -> Void) {
        guard let place = index(of: id, in: elements) else { return }
        var element: Element? = elements[place]
        change(&element)
        if let element { elements[place] = element } else { elements.remove(at: place) }
    }
}

/// Locates elements of an array by index.
@usableFromInline
struct LocatorByIndex<Element: Sendable>: ArrayLocator {
    @usableFromInline typealias Place = Never

    @inlinable
    init() {}

    @inlinable
    func index(of index: Int, in elements: borrowing [Element]) -> Int? {
        elements.indices.contains(index) ? index : nil
    }

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
}

/// Locates elements of an array by identity. It first tries the last known place, shifted as far as the element before
/// it was.
@usableFromInline
struct LocatorByID<Element: Identifiable & Sendable>: ArrayLocator where Element.ID: Sendable {
    @inlinable
    init() {}

    @inlinable
    func index(of id: Element.ID, in elements: borrowing [Element]) -> Int? {
        elements.firstIndex { $0.id == id }
    }

    @inlinable
    func find(
        _ id: Element.ID, in elements: borrowing [Element], _ place: inout Int?,
        _ search: inout ElementSearch<Element.ID>
    ) -> Element? {
        if let known = place {
            let guess = known &+ search.shift
            if elements.indices.contains(guess), elements[guess].id == id {
                place = guess
                return elements[guess]
            }
        }
        let found = self.place(of: id, in: elements, &search)
        if let found, let known = place { search.shift = found &- known }
        place = found
        return found.map { elements[$0] }
    }

    // Bitwise equality implies the same identity.
    @inlinable
    func isUntouched(
        _ last: inout Element?, _ id: Element.ID, in elements: borrowing [Element], _ place: Int?
    ) -> Bool {
        place.map { elements.hasSameBits(at: $0, as: &last) } ?? false
    }

    @inlinable
    func visit(_ elements: borrowing [Element], _ body: (Element.ID, Element) -> Void) {
        for place in elements.indices { body(elements[place].id, elements[place]) }
    }

    /// Scans the array for the first 32 misses, and builds a table of all identities for further ones.
    ///
    /// Not inlined: elements rarely move, and the loop that calls this has no register to spare.
    @inlinable @inline(never)
    func place(
        of id: Element.ID, in elements: borrowing [Element], _ search: inout ElementSearch<Element.ID>
    ) -> Int? {
        search.misses += 1
        guard search.misses > 32 else { return index(of: id, in: elements) }
        if search.places.isEmpty {
            for place in elements.indices.reversed() { search.places[elements[place].id] = place }
        }
        return search.places[id]
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

    @inlinable
    func modify(_ key: Key, in elements: inout [Key: Value], _ change: (inout Value) -> Void) {
        if let place = elements.index(forKey: key) { change(&elements.values[place]) }
    }

    @inlinable
    func modifyAll(in elements: inout [Key: Value], _ change: (inout Value) -> Void) {
        for place in elements.values.indices { change(&elements.values[place]) }
    }

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
