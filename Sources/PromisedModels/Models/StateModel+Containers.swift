/// The models of the states in a container, in the order of its elements: what ``StateModel`` declares for an
/// ``IdentifiedArray``, a dictionary, or a ``StateContainer`` of your own.
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
    private let models: [Element]

    private init(_ models: [Element]) { self.models = models }
}

/// The models of the states in an ``IdentifiedArray``.
public typealias IdentifiedModels<Element: Model> = ContainedModels<IdentifiedArray<Element.State>, Element>
where Element.State: Identifiable, Element.State.ID: Sendable

/// The models of the states in a dictionary.
public typealias KeyedModels<Key: Hashable & Sendable, Element: Model> = ContainedModels<
    [Key: Element.State], Element
>

extension ContainedModels: RandomAccessCollection {
    /// Zero.
    public var startIndex: Int { 0 }
    /// The number of models.
    public var endIndex: Int { models.count }
    /// The model at a place.
    public subscript(position: Int) -> Element { models[position] }
}

extension ContainedModels: StateModels {
    /// A model for each element.
    public static var rootPlan: RootPlan<Container, Element> { RootPlan(ContainerKind<Container>()) }

    /// The models, in the order of the elements.
    public static func root(of models: [Element]) -> ContainedModels { ContainedModels(models) }

    /// A child for each element.
    public static func child<Parent: Model>(
        at path: any WritableKeyPath<Parent.State, Container> & Sendable
    ) -> Child<Parent> { .each(path, Element.self) }

    /// The children, in the order of the elements.
    public static func models<Parent: Model>(
        at path: any WritableKeyPath<Parent.State, Container> & Sendable, of parent: Parent
    ) -> ContainedModels { ContainedModels(parent.children(path)) }
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
