/// A container of this module: it has an element for every identity that it lists, as long as no identity changes by
/// itself.
@usableFromInline
package protocol KnownContainer<ElementID>: StateContainer {
    func element(atPlace index: Int) -> ElementState?
    mutating func removeElement(_ id: ElementID)
    /// Mutates every element in place, in order.
    mutating func changeAll(_ body: (inout ElementState) -> Void)
}

/// A container that refuses a second element of an identity.
@usableFromInline
package protocol UniqueContainer: KnownContainer {
    var order: IdentityOrder { get }
}

/// Stands for the identities of a container and their order, by its address.
@usableFromInline
package final class IdentityOrder: Sendable {
    @usableFromInline
    init() {}
}

/// A container whose elements have places, each of them first looked for where it was last.
@usableFromInline
package protocol ArrayContainer: KnownContainer
where ElementState: Identifiable, ElementID == ElementState.ID {
    var elements: [ElementState] { get }
    /// The place of an identity that is not where it was.
    func place(of id: ElementID, _ search: inout ElementSearch<ElementID>) -> Int?
}

extension ArrayContainer {
    @inlinable
    package func element(atPlace index: Int) -> ElementState? {
        elements.indices.contains(index) ? elements[index] : nil
    }
}

/// The shared memory of lookups of several elements of one container.
@usableFromInline
package struct ElementSearch<ID: Hashable> {
    /// How far the element looked up before has moved.
    @usableFromInline var shift = 0
    @usableFromInline var misses = 0
    @usableFromInline var places: [ID: Int] = [:]

    @inlinable
    init() {}
}

extension ElementSearch: Sendable where ID: Sendable {}

extension Array: KnownContainer, ArrayContainer where Element: Identifiable {
    @inlinable package var elements: [Element] { self }

    /// Scans the array for the first 32 misses, and builds a table of all identities for further ones.
    ///
    /// Not inlined: elements rarely move, and the loop that calls this has no register to spare.
    @inlinable @inline(never)
    package func place(of id: Element.ID, _ search: inout ElementSearch<Element.ID>) -> Int? {
        search.misses += 1
        guard search.misses > 32 else { return firstIndex { $0.id == id } }
        if search.places.isEmpty {
            for place in indices.reversed() { search.places[self[place].id] = place }
        }
        return search.places[id]
    }

    @inlinable
    package mutating func removeElement(_ id: Element.ID) {
        if let place = firstIndex(where: { $0.id == id }) { remove(at: place) }
    }

    @inlinable
    package mutating func changeAll(_ body: (inout Element) -> Void) {
        for place in indices { body(&self[place]) }
    }
}

extension IdentifiedArray: ArrayContainer, UniqueContainer {
    @inlinable
    package func place(of id: Element.ID, _: inout ElementSearch<Element.ID>) -> Int? { places[id] }

    @usableFromInline
    package mutating func removeElement(_ id: Element.ID) { remove(id: id) }

    /// A mutation may remove its element; then the next one is at that place.
    @inlinable
    package mutating func changeAll(_ body: (inout Element) -> Void) {
        var place = 0
        while place < storage.count {
            let count = storage.count
            _ = changeElement(storage[place].id, near: place, body)
            if storage.count == count { place += 1 }
        }
    }
}

extension Dictionary: KnownContainer {
    @inlinable
    package func element(atPlace index: Int) -> Value? { values.dropFirst(index).first }

    @inlinable
    package mutating func removeElement(_ id: Key) { self[id] = nil }

    @inlinable
    package mutating func changeAll(_ body: (inout Value) -> Void) {
        for place in values.indices { body(&values[place]) }
    }
}
