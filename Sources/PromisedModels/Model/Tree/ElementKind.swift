public import PromisedSystem

/// How the states of models are found in a part of their parent's state.
@usableFromInline
protocol ElementKind: Sendable {
    associatedtype Whole: Sendable
    associatedtype Element: Sendable
    /// Identifies an element for as long as it exists.
    associatedtype ID: Hashable

    /// The identities of the elements, in order.
    func ids(of whole: Whole) -> [ID]
    func element(_ id: ID, at index: Int, in whole: Whole) -> Element?
    /// Whether there may be several elements.
    var isList: Bool { get }
    /// Whether the identity is a part of the element, so that a write to the element can change it.
    var hasOwnIdentity: Bool { get }
    /// Whether an element may be gone although its identity is still listed, as user code returns both.
    var mayLoseElements: Bool { get }
    /// The identity of an element that the container refuses, at the place of another, because it has that already.
    func collision(of element: Element, at id: ID, in whole: Whole) -> ID?
    /// Whether the element still has the identity.
    func isSame(_ id: ID, _ element: borrowing Element) -> Bool
    /// Passes an element to the closure without a copy; false if it is absent. It must not call user code other than
    /// comparisons of identities.
    func read(_ id: ID, at index: Int, in whole: Place<Whole>, _ body: (Place<Element>) -> Void) -> Bool
    /// The element at a place, whatever its identity is; nil if the place is that of no element.
    func element(atPlace index: Int, in whole: Whole) -> Element?
    /// An object that stays the same for as long as the identities and their order do; nil if nothing says so.
    func order(of whole: Whole) -> IdentityOrder?
    /// Removes an element; false if there is always one.
    func remove(_ id: ID, at index: Int, from whole: inout Whole) -> Bool
    /// Mutates an element in place; false if it is absent.
    func change(_ id: ID, at index: Int, in whole: inout Whole, _ body: (inout Element) -> Void) -> Bool
}

extension ElementKind {
    @inlinable var mayLoseElements: Bool { false }

    @inlinable
    func element(atPlace index: Int, in whole: Whole) -> Element? { nil }

    @inlinable
    func order(of whole: Whole) -> IdentityOrder? { nil }

    @inlinable
    func remove(_ id: ID, at index: Int, from whole: inout Whole) -> Bool { false }

    @inlinable
    func collision(of element: Element, at id: ID, in whole: Whole) -> ID? { nil }

    /// Passes an element to the closure if it still has the identity: a transaction may have put another one there.
    @inlinable
    func readSame(_ id: ID, at index: Int, in whole: Place<Whole>, _ body: (Place<Element>) -> Void)
        -> Bool
    {
        var isSame = true
        let isFound = read(id, at: index, in: whole) { element in
            isSame = !hasOwnIdentity || self.isSame(id, element.value)
            if isSame { body(element) }
        }
        return isFound && isSame
    }

    /// Passes the state of a node to the closure; false if it is absent.
    @inlinable
    func read(
        _ node: AnyNode, _ id: ID, in whole: Place<Whole>, _ body: (Place<Element>) -> Void
    ) -> Bool {
        let isFound =
            node.tree.memory.isDrafting
            ? readSame(id, at: node.index, in: whole, body) : read(id, at: node.index, in: whole, body)
        guard !isFound, node.tree.memory.readsByPlace else { return isFound }
        guard let element = element(atPlace: node.index, in: whole.value) else { return false }
        Place.passing(element, body)
        return true
    }

    /// Mutates the state of a node in place, by a closure that exchanges a part of it.
    @inlinable
    func change(_ node: AnyNode, _ id: ID, in whole: inout Whole, _ swap: (inout Element) -> Void)
        -> WriteResult
    {
        var result = WriteResult.absent
        let isDrafting = node.tree.memory.isDrafting
        _ = change(id, at: node.index, in: &whole) { element in
            if isDrafting, hasOwnIdentity, !isSame(id, element) { return }
            result = exchange(id, &element, swap)
        }
        return result
    }

    /// Calls a closure that exchanges a part of an element, and calls it again, to undo that, if the element would get
    /// another identity.
    @inlinable
    func exchange(_ id: ID, _ element: inout Element, _ swap: (inout Element) -> Void) -> WriteResult {
        swap(&element)
        guard hasOwnIdentity, !isSame(id, element) else { return .done }
        swap(&element)
        return .otherIdentity
    }
}

/// The identity of every element that another one replaces as the same.
@usableFromInline
enum NoID: Sendable { case same }

/// A part that has one element at most.
@usableFromInline
protocol SingleKind: ElementKind {
    /// The identity of an element.
    var id: @Sendable (Element) -> ID { get }
    func element(in whole: Whole) -> Element?
}

extension SingleKind {
    @inlinable var isList: Bool { false }
    @inlinable var hasOwnIdentity: Bool { ID.self != NoID.self }

    @inlinable
    func isSame(_ id: ID, _ element: borrowing Element) -> Bool { self.id(copy element) == id }

    @inlinable
    func ids(of whole: Whole) -> [ID] { element(in: whole).map { [id($0)] } ?? [] }

    @inlinable
    func element(_ id: ID, at index: Int, in whole: Whole) -> Element? { element(in: whole) }

    @inlinable
    func read(_ id: ID, at index: Int, in whole: Place<Whole>, _ body: (Place<Element>) -> Void) -> Bool {
        element(in: whole.value).map { Place.passing($0, body) } != nil
    }
}

/// A part that is the state of one model.
@usableFromInline
struct OneKind<Element: Sendable, ID: Hashable>: SingleKind {
    @usableFromInline let id: @Sendable (Element) -> ID

    @inlinable
    init(_ id: @escaping @Sendable (Element) -> ID) { self.id = id }

    @inlinable
    func element(in whole: Element) -> Element? { whole }

    @inlinable
    func read(_ id: ID, at index: Int, in whole: Place<Element>, _ body: (Place<Element>) -> Void) -> Bool {
        body(whole)
        return true
    }

    @inlinable
    func change(_ id: ID, at index: Int, in whole: inout Element, _ body: (inout Element) -> Void) -> Bool {
        body(&whole)
        return true
    }
}

/// A part that is the state of one model, or nil.
@usableFromInline
struct OptionalKind<Element: Sendable, ID: Hashable>: SingleKind {
    @usableFromInline let id: @Sendable (Element) -> ID

    @inlinable
    init(_ id: @escaping @Sendable (Element) -> ID) { self.id = id }

    @inlinable
    func element(in whole: Element?) -> Element? { whole }

    @inlinable
    func remove(_ id: ID, at index: Int, from whole: inout Element?) -> Bool {
        whole = nil
        return true
    }

    @inlinable
    func change(_ id: ID, at index: Int, in whole: inout Element?, _ body: (inout Element) -> Void) -> Bool {
        guard whole != nil else { return false }
        body(&whole!)
        return true
    }
}

/// A part that is a container of states.
@usableFromInline
struct ContainerKind<Container: StateContainer & Sendable>: ElementKind
where Container.ElementState: Sendable {
    @inlinable
    init() {}

    @inlinable var isList: Bool { true }
    @inlinable var hasOwnIdentity: Bool { true }
    @inlinable var mayLoseElements: Bool { !(Container.self is any KnownContainer.Type) }

    @inlinable
    func collision(
        of element: Container.ElementState, at id: Container.ElementID, in whole: Container
    ) -> Container.ElementID? {
        guard Container.self is any UniqueContainer.Type, let other = Container.elementID(of: element),
            other != id, whole.readElement(other, near: 0, { _ in })
        else { return nil }
        return other
    }

    @inlinable
    func isSame(_ id: Container.ElementID, _ element: borrowing Container.ElementState) -> Bool {
        Container.elementID(of: element).map { $0 == id } ?? true
    }

    @inlinable
    func ids(of whole: Container) -> [Container.ElementID] { whole.elementIDs }

    @inlinable
    func order(of whole: Container) -> IdentityOrder? { (whole as? any UniqueContainer)?.order }

    @inlinable
    func element(_ id: Container.ElementID, at index: Int, in whole: Container) -> Container.ElementState? {
        var result: Container.ElementState?
        _ = whole.readElement(id, near: index) { result = copy $0 }
        return result
    }

    @inlinable
    func element(atPlace index: Int, in whole: Container) -> Container.ElementState? {
        (whole as? any KnownContainer)?.element(atPlace: index) as? Container.ElementState
    }

    @inlinable
    func read(
        _ id: Container.ElementID, at index: Int, in whole: Place<Container>,
        _ body: (Place<Container.ElementState>) -> Void
    ) -> Bool {
        // Known where this is specialized: the element of an array is passed without a copy.
        if Container.self == [Container.ElementState].self {
            return whole.stored([Container.ElementState].self, at: 0)
                .element(near: index, where: { Container.elementID(of: $0) == id }, body)
        }
        return whole.address.pointee.readElement(id, near: index) { Place.passing(copy $0, body) }
    }

    @inlinable
    func remove(_ id: Container.ElementID, at index: Int, from whole: inout Container) -> Bool {
        if var known = whole as? any KnownContainer<Container.ElementID> {
            known.removeElement(id)
            whole = known as? Container ?? whole
        } else {
            whole[elementID: id] = nil
        }
        return !whole.readElement(id, near: index) { _ in }
    }

    @inlinable
    func change(
        _ id: Container.ElementID, at index: Int, in whole: inout Container,
        _ body: (inout Container.ElementState) -> Void
    ) -> Bool {
        whole.changeElement(id, near: index, body)
    }
}

/// A part that is an enum, one case of which holds the state of a model.
@usableFromInline
struct CaseKind<Root: Sendable, Element: Sendable, ID: Hashable>: SingleKind {
    @usableFromInline let path: CasePath<Root, Element>
    @usableFromInline let id: @Sendable (Element) -> ID
    @inlinable var mayLoseElements: Bool { true }

    @inlinable
    init(_ path: CasePath<Root, Element>, _ id: @escaping @Sendable (Element) -> ID) {
        (self.path, self.id) = (path, id)
    }

    @inlinable
    func element(in whole: Root) -> Element? { path.extract(whole) }

    @inlinable
    func remove(_ id: ID, at index: Int, from whole: inout Root) -> Bool {
        // Nil can be cast to any optional type, and to no other.
        guard let none = (Never?.none as Any) as? Root else { return false }
        whole = none
        return true
    }

    @inlinable
    func change(_ id: ID, at index: Int, in whole: inout Root, _ body: (inout Element) -> Void) -> Bool {
        guard var element = path.extract(whole) else { return false }
        body(&element)
        whole = path.embed(element)
        return true
    }
}
