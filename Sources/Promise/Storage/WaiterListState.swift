internal import Synchronization

/// The word that holds what arrived at a cell: the newest entry's address with two bits.
///
/// Until the cell is settled anyone may push. Only the *owner* takes entries out and delivers, so interim values and
/// the outcome are delivered by one thread at a time, in the order in which they arrived, the outcome last. A thread
/// that finds the cell owned leaves its message and goes: the owner looks again before it gives the mailbox back.
@usableFromInline
enum WaiterListState: Sendable {
    /// The outcome lies in `payload`. Set with release, so a reader that acquires it may read the outcome. No entry is
    /// taken in any more: a handler that comes now runs at once.
    @inlinable static var settled: UInt { 1 }
    /// Some thread is delivering, or has put the cell on its list to do so.
    static var owned: UInt { 2 }
    static var bits: UInt { 7 }
}

extension PromiseStorage {
    /// Whether the outcome may be read.
    @usableFromInline var isSettled: Bool {
        waiterList.pointee.load(ordering: .acquiring) & WaiterListState.settled != 0
    }

    /// Whether nothing has come and nothing will, of a cell that is alone.
    var hasNoWaiters: Bool { waiterList.pointee.load(ordering: .relaxed) == 0 }

    /// Makes the outcome, which lies in `payload`, visible; returns the entries, if any, for the caller to deliver
    /// it to them.
    func settle() -> UInt? {
        let before = exchange { word in
            // An owner will see it, and finds the entries.
            word & WaiterListState.owned != 0 ? word | WaiterListState.settled : WaiterListState.settled
        }
        guard let before, before & WaiterListState.owned == 0, before != 0 else { return nil }
        return before
    }

    /// Lists a handler; false when the outcome is there already.
    func list(_ handler: PromiseStorage) -> Bool { push(handler, 0, unless: WaiterListState.settled) != nil }

    /// Leaves an interim value; nil when it comes too late, else whether the mailbox has an owner, as it is
    /// the caller otherwise.
    func enqueue(_ interim: PromiseStorage) -> Bool? {
        push(interim, WaiterListState.owned, unless: WaiterListState.settled).map {
            $0 & WaiterListState.owned != 0
        }
    }

    /// Becomes the owner of a mailbox that has none, to look through it.
    func acquireOwnership() -> Bool {
        exchange {
            $0 & (WaiterListState.owned | WaiterListState.settled) == 0 ? $0 | WaiterListState.owned : nil
        } != nil
    }

    // MARK: For the owner

    /// Empties the mailbox; what it held comes oldest first.
    func take() -> (WaiterQueue, isSettled: Bool) {
        let word = exchange { $0 & WaiterListState.bits } ?? 0
        return (WaiterQueue(word), word & WaiterListState.settled != 0)
    }

    /// Lists the handlers again and gives the ownership up; false when more has come meanwhile, and then
    /// `handlers` is as it was.
    func restore(_ handlers: inout WaiterQueue) -> Bool {
        handlers.reverse()
        if exchange({ [address = handlers.address] in $0 == WaiterListState.owned ? address : nil }) != nil {
            return true
        }
        handlers.reverse()
        return false
    }
}

extension Unmanaged<PromiseStorage> {
    var isInterim: Bool { _withUnsafeGuaranteedRef { $0.has(Flags.interim) } }
    var isCancelled: Bool { _withUnsafeGuaranteedRef { $0.has(Flags.claimed) } }
}
