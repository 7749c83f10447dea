internal import Synchronization

/// The word that holds what arrived at a cell: the newest entry's address with two bits.
///
/// Until the cell is settled anyone may push. Only the *owner* takes entries out and delivers, so interim values and
/// the outcome are delivered by one thread at a time, in the order in which they arrived, the outcome last. A thread
/// that finds the cell owned leaves its message and goes: the owner looks again before it gives the mailbox back.
@usableFromInline
enum Mail: Sendable {
    /// The outcome lies in `payload`. Set with release, so a reader that acquires it may read the outcome. No entry is
    /// taken in any more: a handler that comes now runs at once.
    @inlinable static var settled: UInt { 1 }
    /// Some thread is delivering, or has put the cell on its list to do so.
    static var owned: UInt { 2 }
    static var bits: UInt { 7 }
}

extension Cell {
    /// Whether the outcome may be read.
    @usableFromInline var isSettled: Bool { mailbox.pointee.load(ordering: .acquiring) & Mail.settled != 0 }

    /// Whether nothing has come and nothing will, of a cell that is alone.
    var isUntouched: Bool { mailbox.pointee.load(ordering: .relaxed) == 0 }

    /// Makes the outcome, which lies in `payload`, visible; returns the entries, if any, for the caller to deliver
    /// it to them.
    func settle() -> UInt? {
        let before = exchange { word in
            // An owner will see it, and finds the entries.
            word & Mail.owned != 0 ? word | Mail.settled : Mail.settled
        }
        guard let before, before & Mail.owned == 0, before != 0 else { return nil }
        return before
    }

    /// Lists a handler; false when the outcome is there already.
    func list(_ handler: Cell) -> Bool { push(handler, 0, unless: Mail.settled) != nil }

    /// Leaves an interim value; nil when it comes too late, else whether the mailbox has an owner, as it is
    /// the caller otherwise.
    func leave(_ interim: Cell) -> Bool? {
        push(interim, Mail.owned, unless: Mail.settled).map { $0 & Mail.owned != 0 }
    }

    /// Becomes the owner of a mailbox that has none, to look through it.
    func own() -> Bool { exchange { $0 & (Mail.owned | Mail.settled) == 0 ? $0 | Mail.owned : nil } != nil }

    // MARK: For the owner

    /// Empties the mailbox; what it held comes oldest first.
    func take() -> (Entries, isSettled: Bool) {
        let word = exchange { $0 & Mail.bits } ?? 0
        return (Entries(word), word & Mail.settled != 0)
    }

    /// Lists the handlers again and gives the ownership up; false when more has come meanwhile, and then
    /// `handlers` is as it was.
    func putBack(_ handlers: inout Entries) -> Bool {
        handlers.reverse()
        if exchange({ [address = handlers.address] in $0 == Mail.owned ? address : nil }) != nil {
            return true
        }
        handlers.reverse()
        return false
    }
}

extension Unmanaged<Cell> {
    var isInterim: Bool { _withUnsafeGuaranteedRef { $0.has(Flags.interim) } }
    var isCancelled: Bool { _withUnsafeGuaranteedRef { $0.has(Flags.claimed) } }
}
