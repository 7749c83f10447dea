public import Synchronization

/// The word that says who may touch a cell's plain fields.
///
/// | bit | set by | guards against |
/// |---|---|---|
/// | `started` | the first starter | starting twice |
/// | `waiting` | that starter, when it has read `upstream` for the last time; together with `started` where there can be no canceller before the cell is listed | a canceller taking `upstream` while the starter still uses it |
/// | `fired` | whoever delivers the upstream's outcome | a canceller dropping the work while it runs |
/// | `borrowed` | a delivery of an interim value, or `replaceWork` | a canceller dropping the work meanwhile: it leaves the rest of the cancelling to the borrower |
/// | `claimed` | the one that may write the outcome | settling twice |
///
/// `rejected` and `cancelled` come with `claimed`; a cancelled cell's `payload` is never written again. The
/// rest says what the cell is, fixed when it is made or becomes another. Above them are two counters:
/// handlers still interested, and handlers that were cancelled and still lie in the mailbox.
///
/// Where a cell is alone (``PromiseStorage/isUniquelyReferenced``), a plain store does instead of an atomic step.
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
    /// Behind the work lies the small plain value that it works on, so there is no upstream.
    @inlinable static var inlineInput: UInt64 { 1 << 8 }
    /// From the start on `payload` holds something that must be told when the cell is cancelled.
    @inlinable static var held: UInt64 { 1 << 9 }
    /// The cell is an interim value on its way, not a handler.
    @inlinable static var interim: UInt64 { 1 << 10 }
    /// The cell wants its upstream's interim values.
    @inlinable static var wantsInterims: UInt64 { 1 << 11 }
    /// Waiting on the upstream says nothing about wanting its work: a cancellation hook.
    @inlinable static var uninterested: UInt64 { 1 << 12 }
    @inlinable static var hasUpstream: UInt64 { 1 << 13 }
    /// The work needs to know the scheduler of the chain, and has room for it.
    @inlinable static var hasScheduler: UInt64 { 1 << 14 }
    @inlinable static var hasLabel: UInt64 { 1 << 15 }

    /// The first word behind the blocks of those flags that are below `flag`; 0 for all of them.
    @inlinable
    static func start(of flag: UInt64, in flags: UInt64) -> Int {
        let before = flags & (flag &- 1)
        let hasUpstream = before >> 13 & 1
        let hasScheduler = before >> 14 & 1
        let hasLabel = before >> 15 & 1
        return Int(2 + 2 * (hasUpstream + hasScheduler + hasLabel))
    }

    /// Of a cell that has no canceller until it is listed.
    @inlinable static var startedAndWaiting: UInt64 { started | waiting }

    /// Somebody wants it for good: counted once in the interest.
    static var retainedByStart: UInt64 { 1 << 16 }

    // 28 bits for the interest: more handlers than memory has room for. What is left counts the withdrawn, who are
    // swept out long before they are so many; as the topmost field it overflows into no other.
    static var interest: UInt64 { 1 << 17 }
    static var withdrawn: UInt64 { 1 << 45 }
    static func interest(_ flags: UInt64) -> UInt64 { (flags >> 17) & 0xFFF_FFFF }
    static func withdrawn(_ flags: UInt64) -> UInt64 { flags >> 45 }
}

extension PromiseStorage {
    @usableFromInline
    enum Verb: Sendable {
        /// The upstream has settled, or the work shall begin. The step owns `payload`.
        case fire
        /// The upstream reported an interim value, held by the second cell. The step borrows `payload`.
        case interim
        /// The value in `payload` is no longer needed.
        case dispose
        /// What is held is no longer needed. The step owns `payload`.
        case release
    }

    /// The scheduler of the chain, of a cell that has room for it; nil otherwise.
    var scheduler: (any SerialScheduler)? {
        get { has(Flags.hasScheduler) ? schedulerSlot.pointee : nil }
        set { if has(Flags.hasScheduler) { schedulerSlot.pointee = newValue } }
    }

    /// Where it was made.
    @usableFromInline var origin: Origin {
        Origin(place: headerPointer.pointee.origin, label: has(Flags.hasLabel) ? label.pointee : nil)
    }

    /// The flags as they are, for those that do not change.
    @inlinable var kind: UInt64 { flags.pointee.load(ordering: .relaxed) }

    var present: UInt64 { flags.pointee.load(ordering: .acquiring) }

    @usableFromInline
    func has(_ bits: UInt64) -> Bool { present & bits != 0 }

    /// Adds bits and returns the flags as they were.
    @usableFromInline
    @discardableResult
    func mark(_ bits: UInt64) -> UInt64 {
        flags.pointee.bitwiseOr(bits, ordering: .acquiringAndReleasing).oldValue
    }

    /// As `mark`, of a cell that is alone.
    @discardableResult
    func markUnshared(_ bits: UInt64, counting change: UInt64 = 0) -> UInt64 {
        let before = kind
        flags.pointee.store((before | bits) &+ change, ordering: .relaxed)
        return before
    }

    /// Removes bits and returns the flags as they were.
    func unmark(_ bits: UInt64) -> UInt64 {
        flags.pointee.bitwiseAnd(~bits, ordering: .acquiringAndReleasing).oldValue
    }

    /// Changes the counters and returns the flags as they are.
    @discardableResult
    func count(_ change: UInt64) -> UInt64 {
        flags.pointee.wrappingAdd(change, ordering: .acquiringAndReleasing).newValue
    }

    /// Counts one more that is interested, and starts; returns the flags as they were.
    func retainAndStart() -> UInt64 {
        var old = present
        while true {
            let (exchanged, handled) = flags.pointee.weakCompareExchange(
                expected: old, desired: (old | Flags.started) &+ Flags.interest,
                ordering: .acquiringAndReleasing)
            if exchanged { return old }
            old = handled
        }
    }

    /// As `retainAndStart`, for the starter of the only one below that it knows of. If that is indeed the only one, this
    /// cell has no canceller until it is listed, and counts as waiting from now on.
    func retainAndStartFromBelow() -> UInt64 {
        guard isUniquelyReferenced else { return retainAndStart() }
        let isIdle = kind & (Flags.started | Flags.claimed) == 0
        return markUnshared(isIdle ? Flags.startedAndWaiting : Flags.started, counting: Flags.interest)
    }

    /// Starts and fires in one step; false, and nothing is changed, when it was started or claimed before.
    func startFired() -> Bool {
        var old = present
        while old & (Flags.started | Flags.claimed) == 0 {
            let (exchanged, handled) = flags.pointee.weakCompareExchange(
                expected: old, desired: old | Flags.started | Flags.fired, ordering: .acquiringAndReleasing)
            if exchanged { return true }
            old = handled
        }
        return false
    }

    /// Takes the right to write the outcome; returns the flags as they were, or nil when somebody else has it.
    @usableFromInline
    func claim(_ bits: UInt64) -> UInt64? {
        var old = flags.pointee.load(ordering: .relaxed)
        while old & Flags.claimed == 0 {
            let (exchanged, handled) = flags.pointee.weakCompareExchange(
                expected: old, desired: old | Flags.claimed | bits, ordering: .acquiringAndReleasing)
            if exchanged { return old }
            old = handled
        }
        return nil
    }
}
