/// How an element of a collection is found again in the next one.
@usableFromInline
protocol ElementLocator: Sendable {
    associatedtype Elements
    associatedtype Element: Sendable
    associatedtype ID: Sendable
    /// Where an element was, if that helps.
    associatedtype Place: Sendable
    /// What is learned about one collection, while several of its elements are looked for.
    associatedtype Cache: DefaultInitializable

    /// - Parameter place: Where it was the last time; then where it is.
    func find(_ id: ID, in elements: borrowing Elements, _ place: inout Place?, _ search: inout Cache)
        -> Element?

    /// Whether an element is surely what it was, as far as can be seen without comparing it.
    func isUntouched(_ last: inout Element?, _ id: ID, in elements: borrowing Elements, _ place: Place?)
        -> Bool
}

@usableFromInline
protocol DefaultInitializable { init() }

/// Where each element is found by itself.
@usableFromInline
struct NoCache: DefaultInitializable, Sendable {
    @inlinable
    init() {}
}

/// Elements of an array by their places.
@usableFromInline
struct LocatorByIndex<Element: Sendable>: ElementLocator {
    @usableFromInline typealias Place = Never
    @usableFromInline typealias Cache = NoCache

    @inlinable
    init() {}

    @inlinable
    func find(
        _ index: Int, in elements: borrowing [Element], _ place: inout Place?, _ search: inout Cache
    ) -> Element? {
        elements.indices.contains(index) ? elements[index] : nil
    }

    @inlinable
    func isUntouched(
        _ last: inout Element?, _ index: Int, in elements: borrowing [Element], _ place: Place?
    ) -> Bool {
        elements.hasSameBits(at: index, as: &last)
    }
}

/// Elements of an array by their identities: most are where they were, or have moved as the one before.
@usableFromInline
struct LocatorByID<Element: Identifiable & Sendable>: ElementLocator where Element.ID: Sendable {
    @usableFromInline
    struct Cache: DefaultInitializable, Sendable {
        @usableFromInline var shift = 0
        @usableFromInline var misses = 0
        @usableFromInline var places: [Element.ID: Int] = [:]

        @inlinable
        init() {}
    }

    @inlinable
    init() {}

    @inlinable
    func find(
        _ id: Element.ID, in elements: borrowing [Element], _ place: inout Int?, _ search: inout Cache
    ) -> Element? {
        if let known = place {
            let guess = known &+ search.shift
            if elements.indices.contains(guess), elements[guess].id == id {
                place = guess
                return elements[guess]
            }
        }
        let found = lookFor(id, in: elements, &search)
        if let found, let known = place { search.shift = found &- known }
        place = found
        return found.map { elements[$0] }
    }

    // Where every bit is the same, so is the identity.
    @inlinable
    func isUntouched(
        _ last: inout Element?, _ id: Element.ID, in elements: borrowing [Element], _ place: Int?
    ) -> Bool {
        place.map { elements.hasSameBits(at: $0, as: &last) } ?? false
    }

    /// A few are looked for one by one; for many a table is made.
    @inlinable
    func lookFor(_ id: Element.ID, in elements: [Element], _ search: inout Cache) -> Int? {
        search.misses += 1
        guard search.misses > 32 else { return elements.firstIndex { $0.id == id } }
        if search.places.isEmpty {
            for (place, element) in elements.enumerated().reversed() { search.places[element.id] = place }
        }
        return search.places[id]
    }
}

/// Values of a dictionary by their keys.
@usableFromInline
struct LocatorByKey<Key: Hashable & Sendable, Value: Sendable>: ElementLocator {
    @usableFromInline typealias Place = Never
    @usableFromInline typealias Cache = NoCache

    @inlinable
    init() {}

    @inlinable
    func find(
        _ key: Key, in elements: borrowing [Key: Value], _ place: inout Place?, _ search: inout Cache
    ) -> Value? {
        elements[key]
    }

    @inlinable
    func isUntouched(
        _ last: inout Value?, _ key: Key, in elements: borrowing [Key: Value], _ place: Place?
    ) -> Bool { false }
}

extension Array {
    /// Whether the element at a place is, bit for bit, the one that is given.
    ///
    /// Then it is unchanged, and nothing has to be copied, retained or called to see that; so is one that is not equal to
    /// itself, as a number that is none. Other bits say nothing: then the type has to be asked. Unsafe, and sound: it
    /// reads no more than the bytes of two values, which are held meanwhile, and an optional holds its value at its
    /// beginning.
    @inlinable
    func hasSameBits(at place: Int, as last: inout Element?) -> Bool {
        guard indices.contains(place), case .some = last else { return false }
        return withUnsafeBytes { elements in
            Swift.withUnsafeBytes(of: &last) { last in
                let size = MemoryLayout<Element>.size
                let start = place * MemoryLayout<Element>.stride
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
