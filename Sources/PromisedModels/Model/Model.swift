/// A part of an application: its state, the methods that change it, and the work that lives as long as it does.
///
/// ```swift
/// import PromisedModels
///
/// struct Counter: Model {
///     struct State: Equatable { var count = 0 }
///
///     let context: ModelContext<Counter>
///     private var state: ModelState<Self> { context.state }
///
///     func incrementTapped() { state.count += 1 }
/// }
///
/// let counter = Store<Counter>(initialState: .init(), scheduler: .immediate).model
/// counter.incrementTapped()
/// print(counter.count)
/// ```
///
/// A model is a value over a part of a ``Store``, which has all state: it holds none itself, and may be created any
/// number of times. Its state can be read from anywhere, as properties of the model, and is written by its methods
/// only: from any thread, and at once.
///
/// The first time that a piece of state exists ``onActivate()`` is called, and when it is removed everything ends
/// that belongs to it: its tasks, its streams and its children.
@dynamicMemberLookup
public protocol Model: StateModels where RootModel == Self, RootState == State {
    /// The part of the store's state: a value type. Changes are noticed if it, or the property that is observed, is
    /// `Equatable`.
    associatedtype State: Sendable
    /// The type of the events that the model sends to those above it; `Never` if it sends nothing of its own.
    associatedtype Event: Sendable = Never

    /// Which state it is.
    var context: ModelContext<Self> { get }

    /// Creates a model of a state. Called by the library: put no logic into it, and let the compiler write it.
    init(context: ModelContext<Self>)

    /// The parts of the state that are states of other models; empty by default. Read once in each store.
    static var children: [Child<Self>] { get }

    /// How an optional root is found in the state of a store. Chosen by whether the state is `Identifiable`.
    static var optionalRootPlan: RootPlan<State?, Self> { get }

    /// A child that exists while its state is not nil. Chosen by whether the state is `Identifiable`.
    static func optionalChild<Parent: Model>(
        at path: any WritableKeyPath<Parent.State, State?> & Sendable
    ) -> Child<Parent>

    /// Called on the store's scheduler when the state has appeared: parents before their children. The place to start
    /// work, and to listen to children.
    func onActivate()

    /// Called once, if `onActivate` was, after the removal of the state: on the store's scheduler, or on the thread
    /// that releases the store. The last state can still be read.
    func onDeactivate()
}

extension Model {
    /// None.
    public static var children: [Child<Self>] { [] }

    /// Does nothing.
    public func onActivate() {}

    /// Does nothing.
    public func onDeactivate() {}

    /// The present value of a property of the state; its last one if the state was removed.
    ///
    /// Read inside of `withObservationTracking`, it is tracked: `onChange` is called when it becomes unequal.
    @inlinable
    public subscript<Value: Equatable & Sendable>(
        dynamicMember path: any KeyPath<State, Value> & Sendable
    ) -> Value { context.observed(path) { areSame($0, $1) } }

    /// The present value of a property whose type is not known to be `Equatable`: if it is not, `onChange` is called
    /// for every write to it.
    @_disfavoredOverload @inlinable
    public subscript<Value: Sendable>(dynamicMember path: any KeyPath<State, Value> & Sendable) -> Value {
        context.observed(path) { areDynamicallySame($0, $1) }
    }

    /// The present value of a property, tracked like one that is read by its name. This also reads properties that are
    /// called like a member of the model, such as `children`, which hides them.
    @inlinable
    public subscript<Value: Equatable & Sendable>(
        _ path: any KeyPath<State, Value> & Sendable
    ) -> Value { self[dynamicMember: path] }

    /// The present value of a property whose type is not known to be `Equatable`.
    @_disfavoredOverload @inlinable
    public subscript<Value: Sendable>(_ path: any KeyPath<State, Value> & Sendable) -> Value {
        self[dynamicMember: path]
    }

    /// A copy of the state, which is not tracked, even inside of `withObservationTracking`.
    public var nonObservableState: State { context.node.state }

    /// Whether the state of the model is still there. It hides a property of the state with this name, which is
    /// `model[\.isActive]`; generic code that must not be mistaken reads ``ModelContext/isActive``.
    public var isActive: Bool { context.isActive }
}

// The requirements of a model that declares to be `Identifiable`: `struct Row: Model, Identifiable`.
extension Model where State: Identifiable, State.ID: Sendable {
    /// The type of the identity.
    public typealias ID = State.ID

    /// The identity of the state, tracked like any property.
    public var id: State.ID { self[dynamicMember: \State.id] }
}

// MARK: - Children

extension Model {
    /// A child that is always there.
    ///
    /// - Parameter path: Its state, as listed in ``children``.
    public func child<Element: Model>(_ path: any WritableKeyPath<State, Element.State> & Sendable) -> Element
    {
        let found = context.node(at: path, of: Element.self, Element.child(at: path))
        return context.model(of: found ?? context.node.detached(state: context.node.read(path)))
    }

    /// A child that exists while its state is not nil; nil if there is none now.
    ///
    /// - Parameter path: Its state, as listed in ``children``.
    public func optionalChild<Element: Model>(
        _ path: any WritableKeyPath<State, Element.State?> & Sendable
    ) -> Element? {
        context.node(at: path, of: Element.self, Element.optionalChild(at: path)).map(context.model)
    }

    /// The children in a container, in the order of its elements.
    ///
    /// Read inside of `withObservationTracking`, the identities of the elements and their order are tracked, but not
    /// their contents.
    ///
    /// - Parameter path: The container of their states, as listed in ``children``.
    @inlinable
    public func children<Container: StateContainer & Sendable, Element: Model>(
        _ path: any WritableKeyPath<State, Container> & Sendable
    ) -> [Element] where Container.ElementState == Element.State {
        let models: ContainedModels<Container, Element> = children(path)
        return Array(models)
    }

    /// The children in a container as a collection that creates each model when it is accessed: one row of many costs
    /// no more than one of few. It is chosen by its type, as in `var rows: ArrayModels<Row> { children(\.rows) }`.
    ///
    /// - Parameter path: The container of their states, as listed in ``children``.
    @_disfavoredOverload @inlinable
    public func children<Container: StateContainer & Sendable, Element: Model>(
        _ path: any WritableKeyPath<State, Container> & Sendable
    ) -> ContainedModels<Container, Element> where Container.ElementState == Element.State {
        ContainedModels(
            nodes: context.nodes(at: path, of: Element.self, .each(path, Element.self)), context.lifetime)
    }

    /// The child in a container that has an identity; nil if there is none.
    ///
    /// - Parameters:
    ///   - path: The container of their states, as listed in ``children``.
    ///   - id: The identity.
    public func child<Container: StateContainer & Sendable, Element: Model>(
        _ path: any WritableKeyPath<State, Container> & Sendable, id: Container.ElementID
    ) -> Element? where Container.ElementState == Element.State {
        context.node(
            at: path, of: Element.self, ContainerKind<Container>.self, id, .each(path, Element.self)
        ).map(context.model)
    }

    /// The child that exists while an enum is in one case; nil in other cases.
    ///
    /// - Parameters:
    ///   - path: The enum, as listed in ``children``.
    ///   - state: The case, as listed there: the same value, such as a `static let`.
    public func child<Root, Element: Model>(
        _ path: any WritableKeyPath<State, Root> & Sendable, case state: CasePath<Root, Element.State>
    ) -> Element? {
        context.node(at: path, case: state.key, of: Element.self, .case(path, state, Element.self))
            .map(context.model)
    }

    /// The child that exists while an optional enum is in one case; nil in other cases.
    ///
    /// - Parameters:
    ///   - path: The enum, as listed in ``children``.
    ///   - state: The case, as listed there: the same value, such as a `static let`.
    public func child<Root, Element: Model>(
        _ path: any WritableKeyPath<State, Root?> & Sendable, case state: CasePath<Root, Element.State>
    ) -> Element? {
        context.node(at: path, case: state.key, of: Element.self, .case(path, state, Element.self))
            .map(context.model)
    }
}
