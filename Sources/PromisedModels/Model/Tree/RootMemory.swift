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
    @usableFromInline typealias Undo = (RootPlace) -> Any

    @usableFromInline final let gate: Gate
    @usableFromInline final let drafting = Atomic(false)
    @usableFromInline final let overriding = Atomic(false)
    final let ignoredWrites = Atomic(0)

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

    /// Whether readers see another state. Changed with the gate, after that state was set.
    @inlinable final var isOverridden: Bool {
        get { overriding.load(ordering: .acquiring) }
        set { overriding.store(newValue, ordering: .releasing) }
    }

    /// Whether what the running transaction has written is hidden from the caller. Called under the lock.
    @inlinable final var isWriteHidden: Bool {
        if undo.isEmpty { return false }
        return !gate.isHeldByCaller || ignoresDraft
    }
}

/// The state of a store, where the way to that of each model begins.
///
/// The place of a state is passed through nested closures, which know the types on their way, but not that of the root.
///
/// Unchecked like its superclass.
@usableFromInline
final class RootMemory<State: Sendable>: StateMemory, @unchecked Sendable {
    @usableFromInline let system: System<Stored<State>, ModelChange>
    /// The place of the state in what the system stores.
    @usableFromInline let offset: Int
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

    /// Passes the place of the state, to be read, to a closure.
    @inlinable
    func reading(_ body: (RootPlace) -> Void) {
        system.look { stored in
            let state = Place(stored).stored(State.self, at: offset)
            if isWriteHidden { return readingCommitted(state.value, body) }
            body(RootPlace(UnsafeMutablePointer(mutating: state.address)))
        }
    }

    /// The same for the state before the running transaction.
    @usableFromInline
    func readingCommitted(_ state: State, _ body: (RootPlace) -> Void) {
        var copy = committed ?? state
        withUnsafeMutablePointer(to: &copy) { copy in
            if committed == nil { for undo in undo.reversed() { _ = undo(RootPlace(copy)) } }
            body(RootPlace(copy))
        }
        committed = copy
    }

    /// Passes the place of the state, to be changed, to a closure; false after the end.
    @inlinable
    func writing(_ body: (RootPlace) -> Void) -> Bool {
        // The record of a transaction has the state before its first write.
        var later: ValueBox<Stored<State>>?
        let isNoticed = undo.isEmpty ? write(&before, body) : write(&later, body)
        guard let isNoticed else { return false }
        if isNoticed { needsNotice = true }
        return true
    }

    @inlinable
    func write(_ before: inout ValueBox<Stored<State>>?, _ body: (RootPlace) -> Void) -> Bool? {
        system.write(&before) { stored in
            withUnsafeMutablePointer(to: &stored.state) { body(RootPlace($0)) }
        }
    }

    /// Passes the place of a copy of a state to a closure, under the lock, and returns the copy.
    func using(_ state: State, _ body: (RootPlace) -> Void) -> State {
        var copy = state
        system.look { _ in withUnsafeMutablePointer(to: &copy) { body(RootPlace($0)) } }
        return copy
    }

    @inlinable var state: State {
        var state: State?
        reading { state = $0.state(State.self).pointee }
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
