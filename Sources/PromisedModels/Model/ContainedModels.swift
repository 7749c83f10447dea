/// The models of the states in a container, in the order of its elements: what ``StateModel`` declares for an
/// `IdentifiedArray`, a dictionary, or a `StateContainer` of your own. Each model is created when it is accessed.
///
/// ```swift
/// import PromisedModels
///
/// struct Counter: Model {
///     struct State: Equatable { var count = 0 }
///     let context: ModelContext<Counter>
///     func incrementTapped() { context.state.count += 1 }
/// }
///
/// struct Votes: Model {
///     struct State: Equatable { @StateModel<KeyedModels<String, Counter>> var votes = [:] }
///     let context: ModelContext<Votes>
///     static let children: [Child<Votes>] = [.of(\.$votes)]
/// }
///
/// let store = Store<Votes>(initialState: .init(votes: ["tea": .init()]), scheduler: .immediate)
/// store.model.child(\.$votes, id: "tea")?.incrementTapped()
/// print(store.model.$votes.map(\.count))
/// ```
///
/// It can be the root of a ``Store`` as well.
public struct ContainedModels<Container: StateContainer & Sendable, Element: Model>: Sendable
where Container.ElementState == Element.State {
    @usableFromInline let nodes: [AnyNode]
    @usableFromInline let lifetime: StoreLifetime?

    @inlinable
    init(nodes: [AnyNode], _ lifetime: StoreLifetime?) { (self.nodes, self.lifetime) = (nodes, lifetime) }
}

/// The models of the states in an array, each created when it is accessed.
public typealias ArrayModels<Element: Model> = ContainedModels<[Element.State], Element>
where Element.State: Identifiable

/// The models of the states in an `IdentifiedArray`.
public typealias IdentifiedModels<Element: Model> = ContainedModels<IdentifiedArray<Element.State>, Element>
where Element.State: Identifiable, Element.State.ID: Sendable

/// The models of the states in a dictionary.
public typealias KeyedModels<Key: Hashable & Sendable, Element: Model> = ContainedModels<
    [Key: Element.State], Element
>

extension ContainedModels: RandomAccessCollection {
    /// Zero.
    @inlinable public var startIndex: Int { 0 }
    /// The number of models.
    @inlinable public var endIndex: Int { nodes.count }
    /// The model at a place.
    @inlinable public subscript(position: Int) -> Element {
        let node = unsafeDowncast(nodes[position], to: Node<Element>.self)
        return Element(context: ModelContext(node: node, lifetime: lifetime))
    }
}

extension ContainedModels: StateModels {
    /// A model for each element.
    public static var rootPlan: RootPlan<Container, Element> { RootPlan(ContainerKind<Container>()) }

    /// The models, in the order of the elements.
    public static func root(of models: [Element]) -> ContainedModels {
        ContainedModels(nodes: models.map { $0.context.node }, models.first?.context.lifetime)
    }

    /// A child for each element.
    public static func child<Parent: Model>(
        at path: any WritableKeyPath<Parent.State, Container> & Sendable
    ) -> Child<Parent> { .each(path, Element.self) }

    /// The children, in the order of the elements.
    public static func models<Parent: Model>(
        at path: any WritableKeyPath<Parent.State, Container> & Sendable, of parent: Parent
    ) -> ContainedModels { parent.children(path) }
}

extension Model {
    /// The child of an identity among those that are declared with ``StateModel``; nil if there is none.
    ///
    /// - Parameters:
    ///   - path: The projected value of the property, as `\.$rows`.
    ///   - id: The identity.
    public func child<Models: StateModels>(
        _ path: any WritableKeyPath<State, StateModel<Models>> & Sendable, id: Models.RootState.ElementID
    ) -> Models.RootModel?
    where Models.RootState: StateContainer, Models.RootState.ElementState == Models.RootModel.State {
        child(statePath(path), id: id)
    }
}
