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

    /// The state, to be written by the methods of the model:
    ///
    /// ```swift
    /// import PromisedModels
    ///
    /// struct Lamp: Model {
    ///     struct State: Equatable { var isOn = false }
    ///     let context: ModelContext<Lamp>
    ///     private var state: ModelState<Self> { context.state }
    ///
    ///     func pressed() { state.isOn.toggle() }
    /// }
    /// ```
    @inlinable public var state: ModelState<M> { ModelState(node: node) }

    /// A child, which keeps the store if this model does.
    func model<Element: Model>(of child: Node<Element>) -> Element {
        Element(context: ModelContext<Element>(node: child, lifetime: lifetime))
    }

    /// The nodes of a child declaration, which is added if it is missing.
    func nodes<Element: Model>(_ child: Child<M>, of _: Element.Type) -> [Node<Element>] {
        slot(child, of: Element.self) { $0.children }.map { unsafeDowncast($0, to: Node<Element>.self) }
    }

    /// The node of one element of a container.
    func node<Kind: ElementKind, Element: Model>(
        _ child: Child<M>, of _: Element.Type, _: Kind.Type, _ id: Kind.ID
    ) -> Node<Element>? where Kind.Element == Element.State {
        slot(child, of: Element.self) { slot in
            let slot = unsafeDowncast(slot, to: Slot<Kind.ID>.self)
            return slot.ids.firstIndex(of: id).map { [slot.children[$0]] } ?? []
        }.first.map { unsafeDowncast($0, to: Node<Element>.self) }
    }

    private func slot(
        _ child: Child<M>, of element: any Model.Type, _ body: (AnySlot) -> [AnyNode]
    ) -> [AnyNode] {
        var place = node.type.place(of: child)
        if place.map({ $0 >= count }) ?? true {
            node.declare(child, as: "\(element)")
            place = node.type.place(of: child)
        }
        var result: [AnyNode] = []
        node.tree.storage.reading {
            if let place, place < node.slots.count { result = body(node.slots[place]) }
        }
        return result
    }

    private var count: Int {
        var count = 0
        node.tree.storage.reading { count = node.slots.count }
        return count
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
