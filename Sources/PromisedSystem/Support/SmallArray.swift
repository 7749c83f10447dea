/// A list that is most often empty or has one element, and then needs no memory of its own.
@usableFromInline
struct SmallArray<Element> {
    @usableFromInline var first: Element?
    /// Empty where there is no first.
    @usableFromInline var rest: [Element] = []

    @inlinable
    init(_ first: Element? = nil) { self.first = first }

    @inlinable
    init(_ all: [Element]) {
        first = all.first
        if all.count > 1 { rest = Array(all.dropFirst()) }
    }

    @inlinable var isEmpty: Bool { first == nil }
    @inlinable var all: [Element] { first.map { [$0] + rest } ?? [] }

    @inlinable
    mutating func append(_ element: Element) {
        if first == nil { first = element } else { rest.append(element) }
    }

    @inlinable
    func contains(where isMeant: (Element) -> Bool) -> Bool {
        first.map(isMeant) ?? false || rest.contains(where: isMeant)
    }

    @inlinable
    func forEach(_ body: (Element) -> Void) {
        guard let first else { return }
        body(first)
        for element in rest { body(element) }
    }

    /// Takes out the first that is meant; false if there is none.
    @inlinable
    mutating func remove(where isMeant: (Element) -> Bool) -> Bool {
        guard let first else { return false }
        if isMeant(first) {
            self.first = rest.isEmpty ? nil : rest.removeFirst()
            return true
        }
        guard let place = rest.firstIndex(where: isMeant) else { return false }
        rest.remove(at: place)
        return true
    }
}

extension SmallArray: Sendable where Element: Sendable {}
