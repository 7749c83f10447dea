internal import PromisedSystem

internal import Promise

/// Which state a model is a view of. Every model has one, as its only stored property.
///
/// A model that was taken from a ``Store``, and every child that is taken from that, keeps the store. A model that the
/// library has created, such as the one whose `onActivate` is called, does not. Use ``ModelReference`` to refer to a
/// model without keeping its store.
public struct ModelContext<M: Model>: Sendable {
    @usableFromInline let node: Node<M>
    @usableFromInline let lifetime: StoreLifetime?

    @inlinable
    init(node: Node<M>, lifetime: StoreLifetime?) { (self.node, self.lifetime) = (node, lifetime) }

    /// Whether the state of the model is still there.
    public var isActive: Bool { node.isActiveNow }

    /// A child, which keeps the store if this model does.
    func model<Element: Model>(of child: Node<Element>) -> Element {
        Element(context: ModelContext<Element>(node: child, lifetime: lifetime))
    }

    /// The nodes of a child declaration, which are those of models of this type.
    ///
    /// - Parameter child: Declares the child; evaluated, and added to those of the model's type, if it is missing
    ///   there.
    @usableFromInline
    func nodes<Whole, Element: Model>(
        at path: any WritableKeyPath<M.State, Whole> & Sendable, of _: Element.Type,
        _ child: @autoclosure () -> Child<M>
    ) -> [AnyNode] { slot(PathPart(path), nil, Element.self, child) { $0.children } ?? [] }

    /// The node of a child declaration that has one at most.
    func node<Whole, Element: Model>(
        at path: any WritableKeyPath<M.State, Whole> & Sendable, case key: PartKey? = nil, of _: Element.Type,
        _ child: @autoclosure () -> Child<M>
    ) -> Node<Element>? {
        slot(PathPart(path), key, Element.self, child) { $0.children.first }?.map {
            unsafeDowncast($0, to: Node<Element>.self)
        }
    }

    /// The node of one element of a container.
    func node<Kind: ElementKind, Element: Model>(
        at path: any WritableKeyPath<M.State, Kind.Whole> & Sendable, of _: Element.Type, _: Kind.Type,
        _ id: Kind.ID, _ child: @autoclosure () -> Child<M>
    ) -> Node<Element>? where Kind.Element == Element.State {
        slot(PathPart(path), nil, Element.self, child) { slot in
            unsafeDowncast(slot, to: Slot<Kind.ID>.self).node(of: id)
        }?.map { unsafeDowncast($0, to: Node<Element>.self) }
    }

    /// - Parameter body: Finds nodes of the slot, under the lock.
    /// - Returns: Nil if the model has ended and never had this slot.
    private func slot<Result>(
        _ path: PathPart, _ key: PartKey?, _ model: any Model.Type, _ child: () -> Child<M>,
        _ body: (AnySlot) -> Result
    ) -> Result? {
        if let found = declaredSlot(path, key, model, body) { return found }
        node.declare(child())
        return declaredSlot(path, key, model, body)
    }

    private func declaredSlot<Result>(
        _ path: PathPart, _ key: PartKey?, _ model: any Model.Type, _ body: (AnySlot) -> Result
    ) -> Result? {
        guard let place = node.type.place(of: path, key, model) else { return nil }
        if isObservationTracked { trackSlot(place) }
        var result: Result?
        node.tree.storage.reading { _ in if place < node.slots.count { result = body(node.slots[place]) } }
        return result
    }
}

/// Refers to a model without keeping its store.
public struct ModelReference<M: Model>: Sendable {
    private let node: Node<M>
    private weak let lifetime: StoreLifetime?

    /// Creates a reference to a model.
    public init(_ model: M) {
        node = model.context.node
        lifetime = model.context.lifetime ?? node.tree.lifetime
    }

    /// The model; nil after its state was removed or its store was released.
    public var model: M? {
        guard node.isActiveNow, let lifetime else { return nil }
        return M(context: ModelContext(node: node, lifetime: lifetime))
    }
}
