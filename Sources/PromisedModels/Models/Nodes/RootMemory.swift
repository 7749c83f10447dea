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

/// The knowledge of a store's writers of its state, without its type.
///
/// Unchecked because of its fields, whose comments say by whom they are accessed.
@usableFromInline
class StateMemory: @unchecked Sendable {
    /// Undoes a write of a transaction, in the state or in a copy of it, and returns the value that was written.
    @usableFromInline typealias Undo = () -> Any

    @usableFromInline final let gate: Gate
    @usableFromInline final let drafting = Atomic(false)

    // MARK: Locked

    /// Undoes the writes of the running transaction, if called from the last one to the first.
    @exclusivity(unchecked) @usableFromInline final var undo: [Undo] = []
    /// Whether an element that is not found by its identity is taken by its place.
    @exclusivity(unchecked) @usableFromInline final var readsByPlace = false

    // MARK: Gated

    /// Whether the holder of the gate reads what others see.
    @exclusivity(unchecked) @usableFromInline final var ignoresDraft = false
    /// Whether the system has observers of records, to be notified of the last write.
    @exclusivity(unchecked) @usableFromInline final var needsNotice = false

    @usableFromInline
    init(_ gate: Gate) { self.gate = gate }

    /// Whether a transaction of the gate's holder is running: others do not see what it has written.
    @inlinable final var isDrafting: Bool {
        get { drafting.load(ordering: .relaxed) }
        set { drafting.store(newValue, ordering: .relaxed) }
    }

    /// Whether what the running transaction has written is hidden from the caller. Called under the lock.
    @inlinable final var isWriteHidden: Bool {
        if undo.isEmpty { return false }
        return !gate.isHeldByCaller || ignoresDraft
    }
}

/// Where the way to a model's state begins: the state of the store, while it is accessed.
///
/// Unchecked and unsafe because a place in the state is reached by nested closures that know the types on their way,
/// but not that of the root. `locked` is accessed only under the lock of the system, for the duration of which it
/// points to the state; the other fields only by the holder of the gate.
@usableFromInline
final class RootMemory<State: Sendable>: StateMemory, @unchecked Sendable {
    @usableFromInline let system: System<Stored<State>, ModelChange>
    /// The place of the state in what the system stores.
    @usableFromInline let offset: Int
    @exclusivity(unchecked) @usableFromInline var locked: UnsafeMutablePointer<State>?
    /// The state before the running transaction, once others have read it. Accessed under the lock.
    @exclusivity(unchecked) @usableFromInline var committed: State?
    /// The state before the present write, if there is to be a record of it.
    @exclusivity(unchecked) @usableFromInline var before: ValueBox<Stored<State>>?

    @inlinable
    init(_ system: System<Stored<State>, ModelChange>, _ gate: Gate) {
        self.system = system
        offset = MemoryLayout<Stored<State>>.offset(of: \.state) ?? 0
        super.init(gate)
    }

    // MARK: Access

    /// Calls a closure in which ``look(_:)`` is possible.
    @inlinable
    func reading(_ body: () -> Void) {
        system.look { stored in
            let state = Place(stored).stored(State.self, at: offset)
            if isWriteHidden { return readingCommitted(state.value, body) }
            locked = UnsafeMutablePointer(mutating: state.address)
            body()
            locked = nil
        }
    }

    /// The same for the state before the running transaction.
    @usableFromInline
    func readingCommitted(_ state: State, _ body: () -> Void) {
        var copy = committed ?? state
        withUnsafeMutablePointer(to: &copy) { copy in
            locked = copy
            if committed == nil { for undo in undo.reversed() { _ = undo() } }
            body()
            locked = nil
        }
        committed = copy
    }

    /// Calls a closure in which ``change(_:)`` is possible; false after the end.
    @inlinable
    func writing(_ body: () -> Void) -> Bool {
        // The record of a transaction has the state before its first write.
        var later: ValueBox<Stored<State>>?
        let isNoticed = undo.isEmpty ? write(&before, body) : write(&later, body)
        guard let isNoticed else { return false }
        if isNoticed { needsNotice = true }
        return true
    }

    @inlinable
    func write(_ before: inout ValueBox<Stored<State>>?, _ body: () -> Void) -> Bool? {
        system.write(&before) { stored in
            withUnsafeMutablePointer(to: &stored.state) { state in
                locked = state
                body()
                locked = nil
            }
        }
    }

    /// Calls a closure in which ``look(_:)`` and ``change(_:)`` concern a copy, and returns that.
    func using(_ state: State, _ body: () -> Void) -> State {
        var copy = state
        system.look { _ in
            withUnsafeMutablePointer(to: &copy) { copy in
                locked = copy
                body()
                locked = nil
            }
        }
        return copy
    }

    @inlinable
    var place: Place<State> {
        guard let locked else { preconditionFailure("The state is accessed under its lock.") }
        return Place(UnsafePointer(locked))
    }

    @inlinable
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        guard let locked else { preconditionFailure("The state is accessed under its lock.") }
        return body(&locked.pointee)
    }

    @inlinable var state: State {
        var state: State?
        reading { state = place.value }
        guard let state else { preconditionFailure("A store has a state.") }
        return state
    }

    // MARK: Records

    @inlinable
    func notice(_ change: ModelChange, _ origin: Origin) -> @Sendable () -> Void {
        defer { before = nil }
        return system.notice(of: change, at: origin, from: before)
    }
}
