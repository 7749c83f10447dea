/// An array that is most often empty or has one element, and then needs no heap allocation.
@usableFromInline
struct SmallArray<Element> {
    @usableFromInline var first: Element?
    /// The elements after the first; empty if `first` is nil.
    @usableFromInline var rest: [Element] = []

    @inlinable
    init(_ first: Element? = nil) { self.first = first }

    @inlinable
    init(_ all: [Element]) {
        first = all.first
        if all.count > 1 { rest = Array(all.dropFirst()) }
    }

    var isEmpty: Bool { first == nil }
    @inlinable var all: [Element] { first.map { [$0] + rest } ?? [] }

    mutating func append(_ element: Element) {
        if first == nil { first = element } else { rest.append(element) }
    }

    func contains(where predicate: (Element) -> Bool) -> Bool {
        first.map(predicate) ?? false || rest.contains(where: predicate)
    }

    func forEach(_ body: (Element) -> Void) {
        guard let first else { return }
        body(first)
        for element in rest { body(element) }
    }

    /// Removes the first element that satisfies the predicate; false if there is none.
    mutating func remove(where predicate: (Element) -> Bool) -> Bool {
        guard let first else { return false }
        if predicate(first) {
            self.first = rest.isEmpty ? nil : rest.removeFirst()
            return true
        }
        guard let place = rest.firstIndex(where: predicate) else { return false }
        rest.remove(at: place)
        return true
    }
}

extension SmallArray: Sendable where Element: Sendable {}
