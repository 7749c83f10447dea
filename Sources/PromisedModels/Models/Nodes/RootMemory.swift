public import PromisedSystem
public import Promise
public import Synchronization

/// The state of a store, as its system stores it.
///
/// It is wrapped so that it is never a trivial value, which the loop of a system would keep a second copy of.
@usableFromInline
struct Stored<State: Sendable>: Sendable {
    @usableFromInline var state: State
    @usableFromInline let mark: String?

    @inlinable
    init(_ state: State) { (self.state, mark) = (state, nil) }
}

extension Stored: Equatable where State: Equatable {}
extension Stored: Hashable where State: Hashable {}

/// Where the way to a model's state begins: the state of the store, while it is accessed.
///
/// Unchecked and unsafe because a place in the state is reached by nested closures that know the types on their way,
/// but not that of the root. `locked` is accessed only under the lock of the system, for the duration of which it
/// points to the state; the other fields only by the holder of the gate.
@usableFromInline
final class RootMemory<State: Sendable>: @unchecked Sendable {
    @usableFromInline let system: System<Stored<State>, ModelChange>
    @exclusivity(unchecked) @usableFromInline var locked: UnsafeMutablePointer<State>?
    @exclusivity(unchecked) @usableFromInline var draft: State?
    /// The state before the present write, if there is to be a record of it.
    @exclusivity(unchecked) @usableFromInline var before: ValueBox<Stored<State>>?
    @exclusivity(unchecked) @usableFromInline unowned(unsafe) var tree: Tree?

    @inlinable
    init(_ system: System<Stored<State>, ModelChange>) { self.system = system }

    @inlinable
    func belong(to tree: Tree) { self.tree = tree }

    /// Whether the caller is in a transaction, and reads and writes its draft.
    @inlinable var usesDraft: Bool {
        guard let tree, tree.isDrafting.load(ordering: .relaxed) else { return false }
        return tree.gate.isHeldByCaller && !tree.ignoresDraft
    }

    // MARK: Access

    /// Calls a closure in which ``look(_:)`` is possible.
    @inlinable
    func reading(_ body: () -> Void) {
        if usesDraft { return body() }
        system.look { stored in
            withUnsafePointer(to: stored.state) { state in
                locked = UnsafeMutablePointer(mutating: state)
                body()
                locked = nil
            }
        }
    }

    /// Calls a closure in which ``change(_:)`` is possible; false after the end.
    @inlinable
    func writing(_ body: () -> Void) -> Bool {
        if usesDraft {
            body()
            return true
        }
        let isNoticed = system.write(&before) { stored in
            withUnsafeMutablePointer(to: &stored.state) { state in
                locked = state
                body()
                locked = nil
            }
        }
        guard let isNoticed else { return false }
        if isNoticed { tree?.needsNotice = true }
        return true
    }

    @inlinable
    func look<Result>(_ body: (borrowing State) -> Result) -> Result {
        if usesDraft, let draft { return body(draft) }
        guard let locked else { preconditionFailure("The state is accessed under its lock.") }
        return body(locked.pointee)
    }

    @inlinable
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        if usesDraft, draft != nil { return body(&draft!) }
        guard let locked else { preconditionFailure("The state is accessed under its lock.") }
        return body(&locked.pointee)
    }

    @inlinable var state: State {
        var state: State?
        reading { state = look { copy $0 } }
        guard let state else { preconditionFailure("A store has a state.") }
        return state
    }

    // MARK: Drafts and records

    @inlinable
    func beginDraft() { draft = state }

    @inlinable
    func endDraft(isKept: Bool) {
        if isKept, draft != nil { change { swap(&$0, &draft!) } } else { draft = nil }
    }

    @inlinable
    func savepoint() -> @Sendable () -> Void {
        let before = draft
        return { [self] in draft = before }
    }

    @inlinable
    func notice(_ change: ModelChange, _ origin: Origin) -> @Sendable () -> Void {
        defer { before = nil }
        return system.notice(of: change, at: origin, from: before)
    }
}
