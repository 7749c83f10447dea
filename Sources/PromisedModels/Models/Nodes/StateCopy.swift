internal import PromisedSystem

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

/// Where the way to a state begins, if not in the store: a copy of the state of a node above.
@usableFromInline
struct StateBase {
    @usableFromInline let node: AnyNode
    /// A ``StateCopy``.
    @usableFromInline let copy: AnyObject

    @inlinable
    init(node: AnyNode, copy: AnyObject) { (self.node, self.copy) = (node, copy) }
}

@available(*, unavailable)
extension StateCopy: Sendable {}

@available(*, unavailable)
extension StateBase: Sendable {}

extension AnyNode {
    /// How many levels a state is reached through in place, which takes stack space for each; from there on, in a copy.
    @inlinable static var levelsInPlace: Int { 32 }

    /// Copies of the states of nodes above, each taken from the one before, so that the last one is less than
    /// ``levelsInPlace`` above; nil if one of them has no state.
    fileprivate final var basesAbove: [StateBase]? {
        var bases: [StateBase] = []
        for node in lineage.reversed() where node.depth % Self.levelsInPlace == 0 && node !== self {
            guard node.depth > 0 else { continue }
            guard let base = node.copied(bases.last) else { return nil }
            bases.append(base)
        }
        return bases
    }
}

extension Node {
    /// Passes the state to a closure; false if there is none. Called under the lock.
    @inlinable
    func reach(_ body: (Place<M.State>) -> Void) -> Bool {
        depth <= Self.levelsInPlace ? access.read(self, nil, body) : reachDeep(body)
    }

    @usableFromInline
    func reachDeep(_ body: (Place<M.State>) -> Void) -> Bool {
        basesAbove.map { access.read(self, $0.last, body) } ?? false
    }

    /// Passes the state to a closure: that in the copy, if it is one of this node's.
    @inlinable
    func reach(_ base: StateBase?, _ body: (Place<M.State>) -> Void) -> Bool {
        guard let base, base.node === self else { return access.read(self, base, body) }
        unsafeDowncast(base.copy, to: StateCopy<M.State>.self).look(body)
        return true
    }

    /// Exchanges a part of the state, and calls the closure again, to undo that, if an identity would change. Called
    /// under the lock.
    @inlinable
    func change(_ swap: (inout M.State) -> Void) -> WriteResult {
        depth <= Self.levelsInPlace ? access.change(self, nil, swap) : changeDeep(swap)
    }

    /// The same in copies, each of which is then exchanged in the one before it, and the first in the store.
    @usableFromInline
    func changeDeep(_ swap: (inout M.State) -> Void) -> WriteResult {
        guard let bases = basesAbove else { return .absent }
        var result = access.change(self, bases.last, swap)
        guard result == .done else { return result }
        var place = bases.count
        while place > 0, result == .done {
            place -= 1
            result = bases[place].node.exchange(bases[place].copy, place > 0 ? bases[place - 1] : nil)
        }
        guard result != .done else { return .done }
        for place in bases.indices.dropFirst(place + 1) {
            _ = bases[place].node.exchange(bases[place].copy, bases[place - 1])
        }
        _ = access.change(self, bases.last, swap)
        return result
    }

    /// The same for a state that may be in a copy of this node's.
    @inlinable
    func change(_ base: StateBase?, _ swap: (inout M.State) -> Void) -> WriteResult {
        guard let base, base.node === self else { return access.change(self, base, swap) }
        swap(&unsafeDowncast(base.copy, to: StateCopy<M.State>.self).state)
        return .done
    }
}
