/// Locates an element of a collection again after the collection has changed.
@usableFromInline
protocol ElementLocator: Sendable {
    associatedtype Container
    associatedtype Element: Sendable
    associatedtype ID: Sendable
    /// The last known place of an element; `Never` where a lookup does not use it.
    associatedtype Place: Sendable
    /// What lookups of several elements of one collection share.
    associatedtype Cache: DefaultInitializable

    /// Returns the element, or nil if the collection has none with this identity.
    ///
    /// - Parameter place: Where it was at the last lookup; updated to where it is now.
    func find(_ id: ID, in elements: borrowing Container, _ place: inout Place?, _ cache: inout Cache)
        -> Element?

    /// Whether an element is known to be unchanged without calling `==`; false if that would have to be called.
    func isUntouched(_ last: inout Element?, _ id: ID, in elements: borrowing Container, _ place: Place?)
        -> Bool
}

@usableFromInline
protocol DefaultInitializable { init() }

/// The cache of a locator whose lookups share nothing.
@usableFromInline
struct NoCache: DefaultInitializable, Sendable {
    @inlinable
    init() {}
}

/// Locates elements of an array by index.
@usableFromInline
struct LocatorByIndex<Element: Sendable>: ElementLocator {
    @usableFromInline typealias Place = Never
    @usableFromInline typealias Cache = NoCache

    @inlinable
    init() {}

    @inlinable
    func find(
        _ index: Int, in elements: borrowing [Element], _ place: inout Place?, _ cache: inout Cache
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

/// Locates elements of an array by identity. It first tries the last known place, shifted as far as the element before
/// it was.
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
        _ id: Element.ID, in elements: borrowing [Element], _ place: inout Int?, _ cache: inout Cache
    ) -> Element? {
        if let known = place {
            let guess = known &+ cache.shift
            if elements.indices.contains(guess), elements[guess].id == id {
                place = guess
                return elements[guess]
            }
        }
        let found = firstIndex(of: id, in: elements, &cache)
        if let found, let known = place { cache.shift = found &- known }
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

    /// Scans the array for the first 32 misses, and builds a table of all identities for further ones.
    @inlinable
    func firstIndex(of id: Element.ID, in elements: [Element], _ cache: inout Cache) -> Int? {
        cache.misses += 1
        guard cache.misses > 32 else { return elements.firstIndex { $0.id == id } }
        if cache.places.isEmpty {
            for (place, element) in elements.enumerated().reversed() { cache.places[element.id] = place }
        }
        return cache.places[id]
    }
}

/// Locates values of a dictionary by key.
@usableFromInline
struct LocatorByKey<Key: Hashable & Sendable, Value: Sendable>: ElementLocator {
    @usableFromInline typealias Place = Never
    @usableFromInline typealias Cache = NoCache

    @inlinable
    init() {}

    @inlinable
    func find(
        _ key: Key, in elements: borrowing [Key: Value], _ place: inout Place?, _ cache: inout Cache
    ) -> Value? {
        elements[key]
    }

    @inlinable
    func isUntouched(
        _ last: inout Value?, _ key: Key, in elements: borrowing [Key: Value], _ place: Place?
    ) -> Bool { false }
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
