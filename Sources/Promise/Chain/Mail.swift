internal import Synchronization

/// The word that holds what arrived at a cell: the newest entry's address with two bits, or `closed`.
///
/// Anyone may push. Only the *owner* takes entries out and delivers, so interim values and the outcome are
/// delivered by one thread at a time, in the order in which they arrived, the outcome last. Who finds the
/// cell owned leaves its message and goes: the owner looks again before it lets go.
@usableFromInline
enum Mail: Sendable {
    /// The outcome lies in `payload`. Set with release, so a reader that acquires it may read the outcome.
    static var settled: UInt { 1 }
    /// Some thread is delivering, or has put the cell on its list to do so.
    static var owned: UInt { 2 }
    /// Settled, everything delivered, nobody listed: a new handler runs at once.
    @inlinable static var closed: UInt { 4 }
    static var bits: UInt { 7 }
}

extension Cell {
    /// Whether the outcome may be read.
    @usableFromInline var isSettled: Bool {
        mailbox.pointee.load(ordering: .acquiring) & (Mail.settled | Mail.closed) != 0
    }

    /// Whether it is settled and all its handlers have been told.
    var isClosed: Bool { mailbox.pointee.load(ordering: .acquiring) == Mail.closed }

    /// Whether nothing has come and nothing will, of a cell that is alone.
    var isUntouched: Bool { mailbox.pointee.load(ordering: .relaxed) == 0 }

    /// Makes the outcome, which lies in `payload`, visible; returns the entries when somebody must deliver it
    /// to them: the caller, who is the owner now.
    func settle() -> UInt? {
        let before = exchange { word in
            if word & Mail.owned != 0 { return word | Mail.settled }  // the owner will see it
            return word == 0 ? Mail.closed : Mail.settled | Mail.owned
        }
        guard let before, before & Mail.owned == 0, before != 0 else { return nil }
        return before
    }

    /// Lists a handler; nil when the mailbox is closed, else whether the outcome is there already.
    func list(_ handler: Cell) -> Bool? {
        push(handler, 0, unless: Mail.closed).map { $0 & Mail.settled != 0 }
    }

    /// Leaves an interim value; nil when it comes too late, else whether the mailbox has an owner, as it is
    /// the caller otherwise.
    func leave(_ interim: Cell) -> Bool? {
        push(interim, Mail.owned, unless: Mail.closed | Mail.settled).map { $0 & Mail.owned != 0 }
    }

    /// Becomes the owner of a mailbox that has none, to look through it.
    func own() -> Bool {
        exchange { $0 & (Mail.owned | Mail.settled | Mail.closed) == 0 ? $0 | Mail.owned : nil } != nil
    }

    // MARK: For the owner

    /// Whether nothing has come since it was emptied.
    var isEmpty: Bool { mailbox.pointee.load(ordering: .relaxed) & ~Mail.bits == 0 }

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

    /// Everybody has been told: later handlers run at once. False when some have come meanwhile.
    func close() -> Bool { exchange { $0 == Mail.settled | Mail.owned ? Mail.closed : nil } != nil }
}

extension Unmanaged<Cell> {
    var isInterim: Bool { _withUnsafeGuaranteedRef { $0.has(Flags.interim) } }
    var isCancelled: Bool { _withUnsafeGuaranteedRef { $0.has(Flags.claimed) } }
}
