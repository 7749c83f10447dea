internal import Promise
public import Synchronization

/// What the writers of a store know of its state, without its type.
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
