public import PromisedSystem

internal import Promise

/// Where the container of a node's state is: in the state of its parent, or of the store.
@usableFromInline
protocol Surroundings: Sendable {
    associatedtype Whole: Sendable

    /// Passes the container to a closure; false if it is absent. Called under the lock.
    func read(_ node: AnyNode, _ ground: Ground, _ body: (Place<Whole>) -> Void) -> Bool
    /// Mutates the container in place. Called under the lock.
    func change(_ node: AnyNode, _ ground: Ground, _ body: (inout Whole) -> Void) -> WriteResult
    /// Writes a copy of the container that a closure has changed, unless that returns false.
    ///
    /// - Returns: Whether it was written.
    func write(_ node: AnyNode, at origin: Origin, _ change: (inout Whole) -> Bool) -> Bool
}

extension Node {
    /// The way to the state of a node, from the root. Called under the lock.
    @usableFromInline
    struct Access: Sendable {
        @usableFromInline
        typealias Read = @Sendable (AnyNode, Ground, (Place<M.State>) -> Void) -> Bool
        @usableFromInline
        typealias Change = @Sendable (AnyNode, Ground, (inout M.State) -> Void) -> WriteResult

        /// Passes the state to the closure; false if the store has no such state any more.
        @usableFromInline let read: Read
        /// Exchanges a part of the state; calls the closure again, to undo that, if the state or one above it would get
        /// another identity.
        @usableFromInline let change: Change
        @usableFromInline let rules: AccessRules<M>

        @inlinable
        init(read: @escaping Read, change: @escaping Change, _ rules: AccessRules<M>) {
            (self.read, self.change, self.rules) = (read, change, rules)
        }
    }
}

extension Node.Access {
    /// The way to an element of a container.
    @inlinable
    init<Kind: ElementKind, Outer: Surroundings>(_ kind: Kind, in outer: Outer, mayLoseState: Bool)
    where Kind.Element == M.State, Outer.Whole == Kind.Whole {
        let id: @Sendable (AnyNode) -> Kind.ID = { node in
            unsafeDowncast(node, to: IdentifiedNode<M, Kind.ID>.self).id
        }
        let isSame: AccessRules<M>.IsSame = { node, state in kind.isSame(id(node), state) }
        self.init(
            read: { node, ground, body in
                var isFound = false
                let isReached = outer.read(node, ground) { isFound = kind.read(node, id(node), in: $0, body) }
                return isReached && isFound
            },
            change: { node, ground, swap in
                var result = WriteResult.absent
                let reached = outer.change(node, ground) { whole in
                    result = kind.change(node, id(node), in: &whole, swap)
                }
                return reached == .done ? result : reached
            },
            AccessRules(
                isSame: kind.hasOwnIdentity ? isSame : nil, mayLoseState: mayLoseState,
                replace: { node, element, origin in
                    var other: Kind.ID?
                    _ = outer.write(node, at: origin) { whole in
                        other = kind.collision(of: element, at: id(node), in: whole)
                        if other != nil { return false }
                        _ = kind.change(id(node), at: node.index, in: &whole) { $0 = element }
                        return true
                    }
                    if let other {
                        node.report(.refusedElement("\(Kind.Element.self)", id: "\(other)"), at: origin)
                    }
                },
                remove: { node, origin in
                    outer.write(node, at: origin) { kind.remove(id(node), at: node.index, from: &$0) }
                }))
    }
}

/// The rules for replacing and removing the states of a child, shared by its nodes.
@usableFromInline
final class AccessRules<M: Model>: Sendable {
    @usableFromInline typealias IsSame = @Sendable (AnyNode, borrowing M.State) -> Bool

    /// Whether a state has the identity of the node; nil if the identity is no part of the state.
    @usableFromInline let isSame: IsSame?
    /// Writes a state with another identity, by way of the parent.
    @usableFromInline let replace: @Sendable (AnyNode, M.State, Origin) -> Void
    /// Removes the state, by way of the parent; false if there is always one.
    let remove: @Sendable (AnyNode, Origin) -> Bool
    /// Whether user code decides on this part of the way whether there is a state.
    @usableFromInline let mayLoseState: Bool

    @usableFromInline
    init(
        isSame: IsSame? = nil, mayLoseState: Bool = false,
        replace: @escaping @Sendable (AnyNode, M.State, Origin) -> Void,
        remove: @escaping @Sendable (AnyNode, Origin) -> Bool = { _, _ in false }
    ) {
        (self.isSame, self.mayLoseState, self.replace, self.remove) = (isSame, mayLoseState, replace, remove)
    }
}

/// The result of a write under the lock.
@usableFromInline
enum WriteResult: Sendable {
    /// The store has no such state any more.
    case absent
    case done
    /// Nothing was written: the state, or one that it is a part of, would get another identity, so that a model ends.
    case otherIdentity
}
