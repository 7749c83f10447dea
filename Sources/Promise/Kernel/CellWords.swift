internal import Synchronization

/// The word that says who may touch a cell's plain fields.
///
/// | bit | set by | guards against |
/// |---|---|---|
/// | `started` | the first starter | starting twice |
/// | `waiting` | that starter, when it has read `upstream` for the last time | a canceller taking `upstream` while the starter still uses it |
/// | `fired` | whoever delivers the upstream's outcome | a canceller dropping the work while it runs |
/// | `borrowed` | a delivery of an interim value, or `become` | a canceller dropping the work meanwhile: it leaves the rest of the cancelling to the borrower |
/// | `claimed` | the one that may write the outcome | settling twice |
///
/// `rejected`, `cancelled` come with `claimed`; a cancelled cell's `payload` is never written again. `work` and
/// `timed` are fixed when the cell is made (or becomes another). Above them are two counters: handlers still
/// interested, and handlers that were cancelled and still lie in the mailbox.
///
/// Every change is an acquire-release operation: who finds a bit set sees what its setter wrote before.
@usableFromInline
enum Flags: Sendable {
    @inlinable static var started: UInt64 { 1 << 0 }
    @inlinable static var waiting: UInt64 { 1 << 1 }
    @inlinable static var fired: UInt64 { 1 << 2 }
    @inlinable static var borrowed: UInt64 { 1 << 3 }
    @inlinable static var claimed: UInt64 { 1 << 4 }
    @inlinable static var rejected: UInt64 { 1 << 5 }
    @inlinable static var cancelled: UInt64 { 1 << 6 }
    /// `payload` holds the operator's closure until the cell has fired or was cancelled.
    @inlinable static var work: UInt64 { 1 << 7 }
    /// The work comes with the value that it works on, so there is no upstream.
    @inlinable static var seeded: UInt64 { 1 << 12 }
    /// The work needs to know the scheduler of the chain.
    @inlinable static var timed: UInt64 { 1 << 8 }
    /// The cell is an interim value on its way, not a handler.
    @inlinable static var interim: UInt64 { 1 << 9 }
    /// The cell wants its upstream's interim values.
    @inlinable static var listens: UInt64 { 1 << 10 }
    /// Waiting on the upstream says nothing about wanting its work: a cancellation hook.
    @inlinable static var uninterested: UInt64 { 1 << 11 }

    static var interest: UInt64 { 1 << 13 }
    static var withdrawn: UInt64 { 1 << 39 }

    static func interest(_ flags: UInt64) -> UInt64 { (flags >> 13) & 0x3FF_FFFF }
    static func withdrawn(_ flags: UInt64) -> UInt64 { flags >> 39 }
}

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
    var mailbox: UnsafeMutablePointer<Atomic<UInt>> {
        withUnsafeMutablePointerToElements {
            UnsafeMutableRawPointer($0).assumingMemoryBound(to: Atomic<UInt>.self)
        }
    }

    var flags: UnsafeMutablePointer<Atomic<UInt64>> {
        withUnsafeMutablePointerToElements {
            UnsafeMutableRawPointer($0 + 1).assumingMemoryBound(to: Atomic<UInt64>.self)
        }
    }

    /// Adds bits and returns the flags as they were.
    @discardableResult
    @usableFromInline
    func mark(_ bits: UInt64) -> UInt64 {
        flags.pointee.bitwiseOr(bits, ordering: .acquiringAndReleasing).oldValue
    }

    /// Removes bits and returns the flags as they were.
    func unmark(_ bits: UInt64) -> UInt64 {
        flags.pointee.bitwiseAnd(~bits, ordering: .acquiringAndReleasing).oldValue
    }

    /// Takes the right to write the outcome; returns the flags as they were, or nil when somebody else has it.
    @usableFromInline
    func claim(_ bits: UInt64) -> UInt64? {
        var old = flags.pointee.load(ordering: .relaxed)
        while true {
            guard old & Flags.claimed == 0 else { return nil }
            let (exchanged, seen) = flags.pointee.weakCompareExchange(
                expected: old, desired: old | Flags.claimed | bits, ordering: .acquiringAndReleasing)
            if exchanged { return old }
            old = seen
        }
    }

    /// Whether the outcome may be read.
    @usableFromInline var isSettled: Bool {
        mailbox.pointee.load(ordering: .acquiring) & (Mail.settled | Mail.closed) != 0
    }

    /// Whether the outcome is an error; of a settled cell.
    @usableFromInline var isRejected: Bool {
        flags.pointee.load(ordering: .relaxed) & Flags.rejected != 0
    }

    /// Whether somebody has the right to write the outcome already.
    @usableFromInline var isClaimed: Bool {
        flags.pointee.load(ordering: .acquiring) & Flags.claimed != 0
    }

    /// Whether it was cancelled, as opposed to rejected by its work.
    @usableFromInline var isCancelled: Bool {
        flags.pointee.load(ordering: .acquiring) & Flags.cancelled != 0
    }
}
