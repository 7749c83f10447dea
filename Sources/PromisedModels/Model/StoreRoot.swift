/// The root of a ``Store``: a model, an optional model, an array of models, or ``ContainedModels`` of
/// another container.
public protocol StoreRoot: Sendable {
    /// The state of the store.
    associatedtype RootState: Sendable
    /// The type of the models at the root.
    associatedtype RootModel: Model

    /// How the models at the root are found in the state.
    static var rootPlan: RootPlan<RootState, RootModel> { get }
    /// The root, of the models that exist now.
    static func root(of models: [RootModel]) -> Self
}

/// A root that can be empty.
public protocol EmptyRoot: StoreRoot {
    /// The state of a store that has no models.
    static var emptyState: RootState { get }
}

/// How the models at the root of a store are found in its state.
public struct RootPlan<State: Sendable, M: Model>: Sendable {
    @usableFromInline let makeNodes: @Sendable (RootMemory<State>) -> RootNodes<State, M>

    @inlinable
    init<Kind: ElementKind>(_ kind: Kind) where Kind.Whole == State, Kind.Element == M.State {
        makeNodes = { RootNodes($0, kind) }
    }
}

extension Model {
    /// The model itself is the root.
    @inlinable public static var rootPlan: RootPlan<State, Self> {
        RootPlan(OneKind<State, NoID> { _ in .same })
    }

    /// The model is the root while its state is not nil.
    @inlinable public static var optionalRootPlan: RootPlan<State?, Self> {
        RootPlan(OptionalKind<State, NoID> { _ in .same })
    }

    /// The model itself.
    @inlinable
    public static func root(of models: [Self]) -> Self { models[0] }
}

extension Model where State: Identifiable {
    /// The model itself is the root; if the identity of its state changes, it ends, and another begins.
    @inlinable public static var rootPlan: RootPlan<State, Self> {
        RootPlan(OneKind<State, State.ID> { $0.id })
    }

    /// The model is the root while its state is not nil; if the identity of that changes, it ends, and another begins.
    @inlinable public static var optionalRootPlan: RootPlan<State?, Self> {
        RootPlan(OptionalKind<State, State.ID> { $0.id })
    }
}

extension Optional: StoreRoot where Wrapped: Model {
    /// The root exists while the state is not nil.
    @inlinable public static var rootPlan: RootPlan<Wrapped.State?, Wrapped> {
        Wrapped.optionalRootPlan
    }

    /// The model, if there is one.
    @inlinable
    public static func root(of models: [Wrapped]) -> Wrapped? { models.first }
}

extension Optional: EmptyRoot where Wrapped: Model {
    /// Nil.
    public static var emptyState: Wrapped.State? { nil }
}

extension Array: StoreRoot
where Element: Model, Element.State: Identifiable {
    /// A root for each state.
    @inlinable public static var rootPlan: RootPlan<[Element.State], Element> {
        RootPlan(ContainerKind<[Element.State]>())
    }

    /// The models, in the order of their states.
    @inlinable
    public static func root(of models: [Element]) -> [Element] { models }
}

extension Array: EmptyRoot where Element: Model, Element.State: Identifiable {
    /// An empty array.
    public static var emptyState: [Element.State] { [] }
}
