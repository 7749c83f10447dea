// The way of each read and write from the state of the store to that of a node.
extension AnyNode {
    /// How many levels a state is reached through in place, which takes stack space for each; from there on, in a copy.
    @inlinable static var levelsInPlace: Int { 32 }

    /// Copies of the states of nodes above, each taken from the one before, so that the last one is less than
    /// ``levelsInPlace`` above; nil if one of them has no state.
    fileprivate final func basesAbove(_ root: RootPlace) -> [StateBase]? {
        var bases: [StateBase] = []
        for node in lineage.reversed() where node.depth % Self.levelsInPlace == 0 && node !== self {
            guard node.depth > 0 else { continue }
            guard let base = node.copied(bases.last.map(Ground.copy) ?? .store(root)) else { return nil }
            bases.append(base)
        }
        return bases
    }
}

extension Node {
    /// Passes the state to a closure; false if there is none. Called under the lock.
    @inlinable
    func reach(_ root: RootPlace, _ body: (Place<M.State>) -> Void) -> Bool {
        depth <= Self.levelsInPlace ? access.read(self, .store(root), body) : reachDeep(root, body)
    }

    @usableFromInline
    func reachDeep(_ root: RootPlace, _ body: (Place<M.State>) -> Void) -> Bool {
        guard let base = basesAbove(root)?.last else { return false }
        return access.read(self, .copy(base), body)
    }

    /// Passes the state to a closure: that in the copy, if it is one of this node's.
    @inlinable
    func reach(_ ground: Ground, _ body: (Place<M.State>) -> Void) -> Bool {
        guard let base = ground.base, base.node === self else { return access.read(self, ground, body) }
        unsafeDowncast(base.copy, to: StateCopy<M.State>.self).look(body)
        return true
    }

    /// Exchanges a part of the state, and calls the closure again, to undo that, if an identity would change. Called
    /// under the lock.
    @inlinable
    func change(_ root: RootPlace, _ swap: (inout M.State) -> Void) -> WriteResult {
        depth <= Self.levelsInPlace ? access.change(self, .store(root), swap) : changeDeep(root, swap)
    }

    /// The same in copies, each of which is then exchanged in the one before it, and the first in the store.
    @usableFromInline
    func changeDeep(_ root: RootPlace, _ swap: (inout M.State) -> Void) -> WriteResult {
        guard let bases = basesAbove(root), let last = bases.last else { return .absent }
        var result = access.change(self, .copy(last), swap)
        guard result == .done else { return result }
        var place = bases.count
        while place > 0, result == .done {
            place -= 1
            result = bases[place].node.exchange(
                bases[place].copy, place > 0 ? .copy(bases[place - 1]) : .store(root))
        }
        guard result != .done else { return .done }
        for place in bases.indices.dropFirst(place + 1) {
            _ = bases[place].node.exchange(bases[place].copy, .copy(bases[place - 1]))
        }
        _ = access.change(self, .copy(last), swap)
        return result
    }

    /// The same for a state that may be in a copy of this node's.
    @inlinable
    func change(_ ground: Ground, _ swap: (inout M.State) -> Void) -> WriteResult {
        guard let base = ground.base, base.node === self else { return access.change(self, ground, swap) }
        swap(&unsafeDowncast(base.copy, to: StateCopy<M.State>.self).state)
        return .done
    }
}
