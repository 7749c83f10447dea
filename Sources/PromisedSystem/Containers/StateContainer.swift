/// A container of states with identities: an array, a dictionary, an ``IdentifiedArray``, or a type of your own as the
/// container of the states of models.
///
/// A model and its tasks live for as long as the container has an element of its identity, at any place. The methods
/// are called under the lock of the state, and must not access models, which would be a deadlock.
///
/// ```swift
/// struct Shelf: StateContainer, Equatable {
///     var books: [String: Int] = [:]
///
///     var elementIDs: [String] { books.keys.sorted() }
///     subscript(elementID id: String) -> Int? {
///         get { books[id] }
///         set { books[id] = newValue }
///     }
/// }
/// ```
public protocol StateContainer<ElementState> {
    /// The state of one element.
    associatedtype ElementState
    /// The type of the identities.
    associatedtype ElementID: Hashable

    /// The identities of all elements, in order. If one occurs twice, the first element has it, and the second has no
    /// model.
    var elementIDs: [ElementID] { get }

    /// The element of an identity; nil if there is none. Set only for an identity that the container has: nil to remove
    /// its element.
    subscript(elementID id: ElementID) -> ElementState? { get set }

    /// The identity of an element, if it is a part of the element; nil, by default, if the container has it.
    static func elementID(of element: borrowing ElementState) -> ElementID?

    /// Passes an element to a closure, if possible without copying it.
    ///
    /// - Parameters:
    ///   - id: The identity.
    ///   - index: The place of the element in ``elementIDs`` after the last write.
    ///   - body: Called with the element.
    /// - Returns: False if there is no such element.
    func readElement(_ id: ElementID, near index: Int, _ body: (borrowing ElementState) -> Void) -> Bool

    /// Mutates an element, if possible in place.
    ///
    /// - Parameters:
    ///   - id: The identity.
    ///   - index: The place of the element in ``elementIDs`` after the last write.
    ///   - body: Mutates the element; it keeps its identity.
    /// - Returns: False if there is no such element.
    mutating func changeElement(_ id: ElementID, near index: Int, _ body: (inout ElementState) -> Void)
        -> Bool
}

extension StateContainer {
    /// Nil: the container has the identities.
    @inlinable
    public static func elementID(of element: borrowing ElementState) -> ElementID? { nil }

    /// Reads the element by the subscript.
    @inlinable
    public func readElement(_ id: ElementID, near index: Int, _ body: (borrowing ElementState) -> Void)
        -> Bool
    {
        guard let element = self[elementID: id] else { return false }
        body(element)
        return true
    }

    /// Mutates a copy of the element, and sets that by the subscript.
    @inlinable
    public mutating func changeElement(
        _ id: ElementID, near index: Int, _ body: (inout ElementState) -> Void
    ) -> Bool {
        guard var element = self[elementID: id] else { return false }
        body(&element)
        self[elementID: id] = element
        return true
    }
}

extension Array: StateContainer where Element: Identifiable {
    /// An element.
    public typealias ElementState = Element

    /// The identities of the elements, in order.
    @inlinable public var elementIDs: [Element.ID] { map { $0.id } }

    /// The first element of an identity.
    @inlinable public subscript(elementID id: Element.ID) -> Element? {
        get { first { $0.id == id } }
        set {
            guard let newValue, let place = firstIndex(where: { $0.id == id }) else { return }
            self[place] = newValue
        }
    }

    /// The identity that the element declares.
    @inlinable
    public static func elementID(of element: borrowing Element) -> Element.ID? { (copy element).id }

    /// Whether the element at a place has an identity.
    @inlinable
    func has(_ id: Element.ID, at index: Int) -> Bool {
        index >= 0 && index < count && self[index].id == id
    }

    @inlinable
    func place(of id: Element.ID, near index: Int) -> Int? {
        has(id, at: index) ? index : firstIndex { $0.id == id }
    }

    /// Reads the element in place.
    @inlinable
    public func readElement(_ id: Element.ID, near index: Int, _ body: (borrowing Element) -> Void) -> Bool {
        guard let place = place(of: id, near: index) else { return false }
        body(self[place])
        return true
    }

    /// Mutates the element in place.
    @inlinable
    public mutating func changeElement(
        _ id: Element.ID, near index: Int, _ body: (inout Element) -> Void
    ) -> Bool {
        guard let place = place(of: id, near: index) else { return false }
        body(&self[place])
        return true
    }
}

extension Dictionary: StateContainer {
    /// A state; its key is its identity.
    public typealias ElementState = Value

    /// The keys. Their order is that of the dictionary, which may change with every key.
    @inlinable public var elementIDs: [Key] { Array(keys) }

    /// The value of a key.
    @inlinable public subscript(elementID id: Key) -> Value? {
        get { self[id] }
        set { if let newValue, let place = index(forKey: id) { values[place] = newValue } }
    }

    /// Mutates the value in place.
    @inlinable
    public mutating func changeElement(_ id: Key, near index: Int, _ body: (inout Value) -> Void) -> Bool {
        guard let place = self.index(forKey: id) else { return false }
        body(&values[place])
        return true
    }
}
