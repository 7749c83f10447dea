public import PromisedSystem

internal import Promise

/// A part of a model's state that is the state of another model, or of several.
///
/// A model lists its children, so that they begin and end together with their states:
///
/// ```swift
/// import PromisedModels
///
/// struct Counter: Model {
///     struct State: Equatable { var count = 0 }
///     let context: ModelContext<Counter>
/// }
///
/// struct Pair: Model {
///     struct State: Equatable { var left = Counter.State(), right: Counter.State? }
///     let context: ModelContext<Pair>
///     static let children: [Child<Pair>] = [.one(\.left, Counter.self), .optional(\.right, Counter.self)]
///
///     var left: Counter { child(\.left) }
///     var right: Counter? { optionalChild(\.right) }
/// }
/// ```
///
/// The key paths should be those of stored properties, or of properties that are declared with ``StateModel``: they are
/// used under the lock of the state, as case paths and identities are, and must not access models.
public struct Child<Parent: Model>: Sendable {
    @usableFromInline let place: ChildPlace
    @usableFromInline let makeSlot: @Sendable () -> AnySlot
    /// Compares the nodes of the slot with a number with a state of the parent.
    @usableFromInline
    let compare: @Sendable (AnySlot, _ number: Int, Node<Parent>, Parent.State, inout TreeChanges) -> Void

    @inlinable
    init<Kind: ElementKind, Element: Model>(
        _ path: any WritableKeyPath<Parent.State, Kind.Whole> & Sendable, _ kind: Kind, _: Element.Type,
        isFixed: Bool = false, case caseKey: PartKey? = nil
    ) where Kind.Element == Element.State {
        let part = Projection(path)
        let isChanging = !isFixed || Element.children.contains { $0.place.isChanging }
        let place = ChildPlace(
            PathPart(path), part.offset.map { $0..<$0 + MemoryLayout<Kind.Whole>.size }, caseKey,
            isChanging: isChanging, isList: kind.isList, Element.self)
        self.place = place
        makeSlot = { Slot<Kind.ID>(place) }
        let access = Node<Element>.Access(
            kind, in: ParentPart<Parent, Kind.Whole>(part: part),
            mayLoseState: kind.mayLoseElements || part.offset == nil)
        compare = { slot, number, parent, state, changes in
            let slot = unsafeDowncast(slot, to: Slot<Kind.ID>.self)
            let whole = part.read(state) { copy $0 }
            SlotComparison<Kind, Element>(slot, kind, whole, parent.tree, parent, number: number, access)
                .collect(&changes)
        }
    }
}

/// Where a child of a model is in the state of its parent.
@usableFromInline
final class ChildPlace: Sendable {
    let path: PathPart
    /// The bytes of the part in the parent's state; nil if it is not a stored property.
    @usableFromInline let bytes: Range<Int>?
    /// Which case of the part it is; nil for the whole part.
    let caseKey: PartKey?
    /// Whether the nodes below a node can change during its lifetime.
    @usableFromInline let isChanging: Bool
    /// Whether there may be several.
    private let isList: Bool
    let modelType: any Model.Type

    @usableFromInline
    init(
        _ path: PathPart, _ bytes: Range<Int>?, _ caseKey: PartKey?, isChanging: Bool, isList: Bool,
        _ modelType: any Model.Type
    ) {
        (self.path, self.bytes, self.caseKey, self.isChanging) = (path, bytes, caseKey, isChanging)
        (self.isList, self.modelType) = (isList, modelType)
    }

    /// Whether a write to these bytes of the parent's state may change the part; nil for any bytes.
    @inlinable
    func isTouched(by written: Range<Int>?) -> Bool {
        guard let bytes, let written else { return true }
        return bytes.overlaps(written)
    }

    /// The text of a child in the place of a model.
    func text(_ index: Int) -> String { isList ? "\(path.name)[\(index)]" : path.name }
}

/// A part of the state of a node's parent.
@usableFromInline
struct ParentPart<Parent: Model, Whole: Sendable>: Surroundings {
    @usableFromInline let part: Projection<Parent.State, Whole>

    @inlinable
    init(part: Projection<Parent.State, Whole>) { self.part = part }

    @inlinable
    func read(_ node: AnyNode, _ ground: Ground, _ body: (Place<Whole>) -> Void) -> Bool {
        guard let above = node.above else { return false }
        return above._withUnsafeGuaranteedRef { parent in
            unsafeDowncast(parent, to: Node<Parent>.self).reach(ground) { $0.part(part, body) }
        }
    }

    @inlinable
    func change(_ node: AnyNode, _ ground: Ground, _ body: (inout Whole) -> Void) -> WriteResult {
        guard let above = node.above else { return .absent }
        return above._withUnsafeGuaranteedRef { parent in
            unsafeDowncast(parent, to: Node<Parent>.self).change(ground) { part.change(&$0, body) }
        }
    }

    @inlinable
    func write(_ node: AnyNode, at origin: Origin, _ change: (inout Whole) -> Bool) -> Bool {
        guard let above = node.parent else { return false }
        let parent = unsafeDowncast(above, to: Node<Parent>.self)
        var state = parent.state
        guard part.change(&state, change) else { return false }
        parent.write(state, at: origin, part.offset.map { $0..<$0 + MemoryLayout<Whole>.size })
        return true
    }
}

// MARK: - Children

extension Child {
    /// A child that is always there.
    ///
    /// - Parameters:
    ///   - path: Its state.
    ///   - model: Its type.
    @inlinable
    public static func one<Element: Model>(
        _ path: any WritableKeyPath<Parent.State, Element.State> & Sendable, _ model: Element.Type
    ) -> Child {
        Child(path, OneKind<Element.State, NoID> { _ in .same }, model, isFixed: true)
    }

    /// A child that is always there. If the identity of its state changes, it ends, and another begins.
    ///
    /// - Parameters:
    ///   - path: Its state.
    ///   - model: Its type.
    @inlinable
    public static func one<Element: Model>(
        _ path: any WritableKeyPath<Parent.State, Element.State> & Sendable, _ model: Element.Type
    ) -> Child where Element.State: Identifiable {
        Child(path, OneKind<Element.State, Element.State.ID> { $0.id }, model)
    }

    /// A child that exists while its state is not nil.
    ///
    /// - Parameters:
    ///   - path: Its state.
    ///   - model: Its type.
    @inlinable
    public static func optional<Element: Model>(
        _ path: any WritableKeyPath<Parent.State, Element.State?> & Sendable, _ model: Element.Type
    ) -> Child {
        Child(path, OptionalKind<Element.State, NoID> { _ in .same }, model)
    }

    /// A child that exists while its state is not nil. If the identity of its state changes, it ends, and another
    /// begins.
    ///
    /// - Parameters:
    ///   - path: Its state.
    ///   - model: Its type.
    @inlinable
    public static func optional<Element: Model>(
        _ path: any WritableKeyPath<Parent.State, Element.State?> & Sendable, _ model: Element.Type
    ) -> Child where Element.State: Identifiable {
        Child(path, OptionalKind<Element.State, Element.State.ID> { $0.id }, model)
    }

    /// A child for every element of a container. An element that moves keeps its model.
    ///
    /// - Parameters:
    ///   - path: The container of their states.
    ///   - model: The type of all of them.
    @inlinable
    public static func each<Container: StateContainer & Sendable, Element: Model>(
        _ path: any WritableKeyPath<Parent.State, Container> & Sendable, _ model: Element.Type
    ) -> Child where Container.ElementState == Element.State {
        Child(path, ContainerKind<Container>(), model)
    }

    /// A child that exists while an enum is in one case, with the associated value as its state.
    ///
    /// - Parameters:
    ///   - path: The enum.
    ///   - state: The case.
    ///   - model: Its type.
    @inlinable
    public static func `case`<Root, Element: Model>(
        _ path: any WritableKeyPath<Parent.State, Root> & Sendable, _ state: CasePath<Root, Element.State>,
        _ model: Element.Type
    ) -> Child {
        Child(
            path, CaseKind(state) { (_: Element.State) in NoID.same }, model, case: state.key)
    }

    /// A child that exists while an enum is in one case. If the identity of its state changes, it ends, and another
    /// begins.
    ///
    /// - Parameters:
    ///   - path: The enum.
    ///   - state: The case.
    ///   - model: Its type.
    @inlinable
    public static func `case`<Root, Element: Model>(
        _ path: any WritableKeyPath<Parent.State, Root> & Sendable, _ state: CasePath<Root, Element.State>,
        _ model: Element.Type
    ) -> Child where Element.State: Identifiable {
        Child(path, CaseKind(state) { (element: Element.State) in element.id }, model, case: state.key)
    }

    /// A child that exists while an optional enum is in one case, with the associated value as its state.
    ///
    /// - Parameters:
    ///   - path: The enum.
    ///   - state: The case.
    ///   - model: Its type.
    @inlinable
    public static func `case`<Root, Element: Model>(
        _ path: any WritableKeyPath<Parent.State, Root?> & Sendable, _ state: CasePath<Root, Element.State>,
        _ model: Element.Type
    ) -> Child {
        Child(
            path, CaseKind(present(state)) { (_: Element.State) in NoID.same }, model,
            case: state.key)
    }

    /// A child that exists while an optional enum is in one case. If the identity of its state changes, it ends, and
    /// another begins.
    ///
    /// - Parameters:
    ///   - path: The enum.
    ///   - state: The case.
    ///   - model: Its type.
    @inlinable
    public static func `case`<Root, Element: Model>(
        _ path: any WritableKeyPath<Parent.State, Root?> & Sendable, _ state: CasePath<Root, Element.State>,
        _ model: Element.Type
    ) -> Child where Element.State: Identifiable {
        Child(
            path, CaseKind(present(state)) { (element: Element.State) in element.id }, model, case: state.key)
    }

    /// The case of an enum as one of an optional enum.
    @inlinable
    static func present<Root, Value>(_ state: CasePath<Root, Value>) -> CasePath<Root?, Value> {
        CasePath<Root?, Value>(embed: { state.embed($0) }, extract: { $0.flatMap(state.extract) })
    }
}
