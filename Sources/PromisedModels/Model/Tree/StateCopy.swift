/// A copy of the state of a node.
@usableFromInline
final class StateCopy<State> {
    @usableFromInline var state: State

    @inlinable
    init(_ state: State) { self.state = state }

    @inlinable
    func look<Result>(_ body: (Place<State>) -> Result) -> Result {
        Place.passing(state, body)
    }
}

/// A copy of the state of a node, without its type.
@usableFromInline
struct StateBase {
    @usableFromInline let node: AnyNode
    /// A ``StateCopy``.
    @usableFromInline let copy: AnyObject

    @inlinable
    init(node: AnyNode, copy: AnyObject) { (self.node, self.copy) = (node, copy) }
}

/// Where the way to a state begins. It is valid inside of the closure that it is passed to.
@usableFromInline
enum Ground {
    /// The state of the store, under its lock.
    case store(RootPlace)
    /// That of a node above.
    case copy(StateBase)

    @inlinable var base: StateBase? { if case .copy(let base) = self { base } else { nil } }
}

/// The place of a store's state, without its type.
@usableFromInline
struct RootPlace {
    @usableFromInline let address: UnsafeMutableRawPointer

    @inlinable
    init(_ state: UnsafeMutablePointer<some Any>) { address = UnsafeMutableRawPointer(state) }

    @inlinable
    func state<State>(_: State.Type) -> UnsafeMutablePointer<State> {
        address.assumingMemoryBound(to: State.self)
    }
}

@available(*, unavailable)
extension Ground: Sendable {}

@available(*, unavailable)
extension RootPlace: Sendable {}

@available(*, unavailable)
extension StateCopy: Sendable {}

@available(*, unavailable)
extension StateBase: Sendable {}
