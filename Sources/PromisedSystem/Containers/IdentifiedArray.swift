internal import Promise

/// An array whose elements have different identities, and are found by them without a search.
///
/// ```swift
/// import PromisedSystem
///
/// struct Book: Identifiable, Equatable { let id: String; var pages: Int }
///
/// var books: IdentifiedArray<Book> = [Book(id: "a", pages: 10), Book(id: "b", pages: 20)]
/// books[id: "b"]?.pages += 1
/// books.remove(id: "a")
/// print(books.map(\.pages))
/// ```
///
/// An element whose identity is in the array already is refused, which is reported: ``append(_:file:line:)`` and
/// ``insert(_:at:file:line:)`` return false, and nothing changes. An element keeps its identity: a mutation by the
/// subscript that changes it is undone.
public struct IdentifiedArray<Element: Identifiable> {
    /// The elements, in order.
    @usableFromInline var storage: [Element] = []
    @usableFromInline var places: [Element.ID: Int] = [:]
    /// Another object after each change of the identities or of their order, unless no copy has this one.
    @usableFromInline package private(set) var order = IdentityOrder()

    /// Creates an empty array.
    public init() {}

    /// Creates an array of the elements whose identities have not occurred before.
    public init(_ elements: some Sequence<Element>) {
        for element in elements where places[element.id] == nil { append(element) }
    }

    /// The elements as a plain array.
    @inlinable public var elements: [Element] { storage }

    /// The identities, in order.
    public var ids: [Element.ID] { storage.map { $0.id } }

    /// The place of an identity; nil if there is none.
    public func index(id: Element.ID) -> Int? { places[id] }

    /// The element of an identity. Setting it to nil removes the element. Setting an element whose identity is not in
    /// the array appends it. An element whose identity is not `id` is refused silently: nothing changes, and nothing is
    /// reported.
    public subscript(id id: Element.ID) -> Element? {
        get { places[id].map { storage[$0] } }
        set {
            guard let newValue else { return _ = remove(id: id) }
            guard newValue.id == id else { return }
            if let place = places[id] { storage[place] = newValue } else { append(newValue) }
        }
        _modify {
            guard let place = places[id] else {
                var element: Element?
                yield &element
                if let element, element.id == id { append(element) }
                return
            }
            var element: Element? = storage[place]
            yield &element
            guard let element else { return _ = remove(id: id) }
            if element.id == id { storage[place] = element }
        }
    }

    /// Appends an element.
    ///
    /// - Returns: False if its identity is in the array already.
    @discardableResult
    public mutating func append(
        _ element: Element, file: StaticString = #fileID, line: UInt = #line
    ) -> Bool { insert(element, at: storage.count, file: file, line: line) }

    /// Inserts an element.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - index: Its place; one outside of the array is taken as the nearest one inside.
    /// - Returns: False if its identity is in the array already.
    @discardableResult
    public mutating func insert(
        _ element: Element, at index: Int, file: StaticString = #fileID, line: UInt = #line
    ) -> Bool {
        guard places[element.id] == nil else {
            report(element, at: Origin(file, line))
            return false
        }
        let place = Swift.min(Swift.max(index, 0), storage.count)
        storage.insert(element, at: place)
        renumber(from: place)
        orderDidChange()
        return true
    }

    /// Appends the elements in order, without those whose identities are in the array already, which is reported.
    public mutating func append(
        contentsOf elements: some Sequence<Element>, file: StaticString = #fileID, line: UInt = #line
    ) { for element in elements { append(element, file: file, line: line) } }

    private func report(_ refused: Element, at origin: Origin = Origin(place: 0)) {
        let problem = SystemProblem.refusedElement("\(Element.self)", id: "\(refused.id)")
        PromiseDiagnostics.report(.init(problem: problem, origin: origin))
    }

    /// Removes the element of an identity.
    ///
    /// - Returns: The element; nil if there was none.
    @discardableResult
    public mutating func remove(id: Element.ID) -> Element? {
        guard let place = places.removeValue(forKey: id) else { return nil }
        let element = storage.remove(at: place)
        renumber(from: place)
        orderDidChange()
        return element
    }

    /// Removes the elements that satisfy a condition.
    ///
    /// - Parameter shouldRemove: Called at once for each element, in order; an error is rethrown.
    public mutating func removeAll(where shouldRemove: (Element) throws -> Bool) rethrows {
        defer { renumber() }
        try storage.removeAll(where: shouldRemove)
    }

    /// Moves the element of an identity to another place, counted without it.
    ///
    /// - Returns: False if there is no such element.
    @discardableResult
    public mutating func move(id: Element.ID, to index: Int) -> Bool {
        guard let element = remove(id: id) else { return false }
        return insert(element, at: index)
    }

    /// Sorts the elements.
    ///
    /// - Parameter areInIncreasingOrder: Called at once with pairs of elements; an error is rethrown.
    public mutating func sort(by areInIncreasingOrder: (Element, Element) throws -> Bool) rethrows {
        defer { renumber() }
        try storage.sort(by: areInIncreasingOrder)
    }

    private mutating func renumber(from start: Int) {
        for place in start..<storage.count { places[storage[place].id] = place }
    }

    mutating func renumber() {
        places = [:]
        renumber(from: 0)
        orderDidChange()
    }

    private mutating func orderDidChange() {
        if !isKnownUniquelyReferenced(&order) { order = IdentityOrder() }
    }

    /// Enters the identity that a mutation has given to the element at a place. If the array has an element of that
    /// already, the mutated one is refused.
    ///
    /// - Parameters:
    ///   - id: The identity before.
    ///   - replacement: Takes the place of one that is refused; nil to remove it.
    @usableFromInline
    mutating func didChangeIdentity(at place: Int, from id: Element.ID, _ replacement: Element?) {
        let now = storage[place].id
        if places[now] == nil {
            (places[id], places[now]) = (nil, place)
            return orderDidChange()
        }
        report(storage[place])
        if let replacement { return storage[place] = replacement }
        places[id] = nil
        storage.remove(at: place)
        renumber(from: place)
        orderDidChange()
    }
}

extension IdentifiedArray: RandomAccessCollection {
    /// Zero.
    public var startIndex: Int { 0 }
    /// The number of elements.
    public var endIndex: Int { storage.count }
    /// The element at a place. One whose identity is at another place already is refused, which is reported.
    public subscript(position: Int) -> Element {
        get { storage[position] }
        set {
            let last = storage[position]
            storage[position] = newValue
            if newValue.id != last.id { didChangeIdentity(at: position, from: last.id, last) }
        }
    }
}

extension IdentifiedArray: ExpressibleByArrayLiteral {
    /// Creates an array of the elements whose identities have not occurred before.
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension IdentifiedArray: Equatable where Element: Equatable {
    /// Whether both have equal elements in the same order.
    public static func == (left: IdentifiedArray, right: IdentifiedArray) -> Bool {
        left.storage == right.storage
    }
}

extension IdentifiedArray: Hashable where Element: Hashable {
    /// Hashes the elements in order.
    public func hash(into hasher: inout Hasher) { storage.hash(into: &hasher) }
}

extension IdentifiedArray: Encodable where Element: Encodable {
    /// Encodes the elements as a plain array.
    public func encode(to encoder: any Encoder) throws { try storage.encode(to: encoder) }
}

extension IdentifiedArray: Decodable where Element: Decodable {
    /// Decodes a plain array. Fails if two elements have the same identity.
    public init(from decoder: any Decoder) throws {
        let elements = try [Element](from: decoder)
        self.init(elements)
        guard count == elements.count else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "Two elements of the array have the same identity."))
        }
    }
}

extension IdentifiedArray: CustomReflectable {
    /// Reflects the elements, as a plain array does.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: storage, displayStyle: .collection) }
}

extension IdentifiedArray: Sendable where Element: Sendable, Element.ID: Sendable {}

extension IdentifiedArray: CustomStringConvertible {
    /// The description of the plain array.
    public var description: String { "\(storage)" }
}

extension IdentifiedArray: StateContainer {
    /// An element.
    public typealias ElementState = Element

    /// The identities, in order.
    public var elementIDs: [Element.ID] { ids }

    /// The element of an identity.
    public subscript(elementID id: Element.ID) -> Element? {
        get { self[id: id] }
        set { if newValue != nil, places[id] != nil { self[id: id] = newValue } }
    }

    /// The identity that the element declares.
    public static func elementID(of element: borrowing Element) -> Element.ID? { (copy element).id }

    @inlinable
    func place(of id: Element.ID, near index: Int) -> Int? {
        storage.has(id, at: index) ? index : places[id]
    }

    /// Reads the element in place.
    @inlinable
    public func readElement(_ id: Element.ID, near index: Int, _ body: (borrowing Element) -> Void) -> Bool {
        guard let place = place(of: id, near: index) else { return false }
        body(storage[place])
        return true
    }

    /// Mutates the element in place. One that gets another identity is found by that from then on; if the array has an
    /// element of that identity already, the mutated one is removed, which is reported.
    @inlinable
    public mutating func changeElement(
        _ id: Element.ID, near index: Int, _ body: (inout Element) -> Void
    ) -> Bool {
        guard let place = place(of: id, near: index) else { return false }
        body(&storage[place])
        if storage[place].id != id { didChangeIdentity(at: place, from: id, nil) }
        return true
    }
}
