internal import PromisedSystem
internal import Promise
internal import Synchronization

/// The state of a store, as its system stores it.
///
/// It is wrapped so that it is never a trivial value, which the loop of a system would keep a second copy of.
struct Stored<State: Sendable>: Sendable {
    var state: State
    private let mark: String? = nil

    init(_ state: State) { self.state = state }
}

/// Where the way to a model's state begins: the state of the store, while it is accessed.
///
/// Unchecked and unsafe because a place in the state is reached by nested closures that know the types on their way, but
/// not that of the root. `locked` is accessed only under the lock of the system, for the duration of which it points to
/// the state; the other fields only by the holder of the gate.
final class RootMemory<State: Sendable>: @unchecked Sendable {
    let system: System<Stored<State>, ModelChange>
    private var locked: UnsafeMutablePointer<State>?
    private var draft: State?
    /// The state before the present write, if there is to be a record of it.
    private var before: ValueBox<Stored<State>>?
    private weak var tree: Tree?

    init(_ system: System<Stored<State>, ModelChange>) { self.system = system }

    func belong(to tree: Tree) { self.tree = tree }

    /// Whether the caller is in a transaction, and reads and writes its draft.
    private var usesDraft: Bool {
        guard let tree, tree.isDrafting.load(ordering: .relaxed) else { return false }
        return tree.gate.isHeldByCaller && !tree.ignoresDraft
    }

    // MARK: Access

    /// Calls a closure in which ``look(_:)`` is possible.
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
    func writing(_ body: () -> Void) -> Bool {
        if usesDraft {
            body()
            return true
        }
        return system.write { stored in
            withUnsafeMutablePointer(to: &stored.state) { state in
                locked = state
                body()
                locked = nil
            }
        }
    }

    func look<Result>(_ body: (borrowing State) -> Result) -> Result {
        if usesDraft, let draft { return body(draft) }
        guard let locked else { preconditionFailure("The state is accessed under its lock.") }
        return body(locked.pointee)
    }

    func change<Result>(_ body: (inout State) -> Result) -> Result {
        if usesDraft, draft != nil { return body(&draft!) }
        guard let locked else { preconditionFailure("The state is accessed under its lock.") }
        return body(&locked.pointee)
    }

    var state: State {
        var state: State?
        reading { state = look { copy $0 } }
        guard let state else { preconditionFailure("A store has a state.") }
        return state
    }

    // MARK: Drafts and records

    func beginDraft() { draft = state }

    func endDraft(isKept: Bool) {
        if isKept, var draft { change { swap(&$0, &draft) } }
        draft = nil
    }

    func savepoint() -> @Sendable () -> Void {
        let before = draft
        return { [self] in draft = before }
    }

    func beginRecord() { before = system.stateToRecord }

    func notice(_ change: () -> ModelChange, _ origin: Origin) -> (@Sendable () -> Void)? {
        defer { before = nil }
        return system.notice(of: change(), at: origin, from: before)
    }

    /// The memory as a tree uses it.
    var storage: Tree.Storage {
        Tree.Storage(
            reading: { [self] in reading($0) }, writing: { [self] in writing($0) },
            beginDraft: { [self] in beginDraft() }, endDraft: { [self] in endDraft(isKept: $0) },
            savepoint: { [self] in savepoint() }, beginRecord: { [self] in beginRecord() },
            notice: { [self] in notice($0, $1) }, perform: { [system] in system.perform($0) },
            begin: { [system] in system.begin($0, $1, at: $2) }, cancel: { [system] in system.cancel($0) },
            stop: { [system] in system.stop() })
    }
}
