// Changes by place, as those of an array: for the handlers of `onMove` and `onDelete` of a list, among others.
extension IdentifiedArray {
    /// Removes the element at a place, which must be one of the array's.
    ///
    /// - Returns: The element.
    @discardableResult
    public mutating func remove(at index: Int) -> Element {
        let element = storage[index]
        remove(id: element.id)
        return element
    }

    /// Removes the elements at these places; those outside of the array are ignored.
    ///
    /// - Parameter offsets: The places, as an `IndexSet`, for example.
    public mutating func remove(atOffsets offsets: some Sequence<Int>) {
        let removed = Set(offsets)
        storage = indices.filter { !removed.contains($0) }.map { storage[$0] }
        renumber()
    }

    /// Moves elements, which keep their order.
    ///
    /// ```swift
    /// import PromisedSystem
    ///
    /// struct Name: Identifiable { let id: String }
    ///
    /// var names: IdentifiedArray<Name> = [Name(id: "a"), Name(id: "b"), Name(id: "c")]
    /// names.move(fromOffsets: [0], toOffset: 3)
    /// names.remove(atOffsets: [0])
    /// print(names.ids)
    /// ```
    ///
    /// - Parameters:
    ///   - source: Their places, as an `IndexSet`, for example; those outside of the array are ignored.
    ///   - destination: The place, counted with them, in front of which they are put; one outside of the array is taken
    ///     as the nearest one inside.
    public mutating func move(fromOffsets source: some Sequence<Int>, toOffset destination: Int) {
        let end = Swift.min(Swift.max(destination, 0), count)
        let moved = Set(source)
        let isMoved = indices.map { moved.contains($0) }
        let places =
            (0..<end).filter { !isMoved[$0] } + indices.filter { isMoved[$0] }
            + (end..<count).filter { !isMoved[$0] }
        storage = places.map { storage[$0] }
        renumber()
    }

    /// Exchanges the elements at two places.
    public mutating func swapAt(_ first: Int, _ second: Int) {
        storage.swapAt(first, second)
        renumber()
    }

    /// Sorts the elements in ascending order.
    public mutating func sort() where Element: Comparable { sort(by: <) }
}
