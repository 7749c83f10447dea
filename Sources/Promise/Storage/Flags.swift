public import Synchronization

/// The atomic word that decides who may access the non-atomic fields of a promise's storage.
///
/// | bit | set by | guards against |
/// |---|---|---|
/// | `started` | the first starter | starting twice |
/// | `waiting` | that starter, after its last read of `upstream`; together with `started` if no canceller can exist before the storage is enqueued upstream | a canceller taking `upstream` while the starter still uses it |
/// | `fired` | the thread that delivers the upstream's outcome | a canceller dropping the work while it runs |
/// | `borrowed` | the delivery of an interim value, or `replaceWork` | a canceller dropping the work meanwhile: it leaves the rest of the cancellation to the borrower |
/// | `claimed` | the thread that wins the right to write the outcome | settling twice |
///
/// `rejected` and `cancelled` are set together with `claimed`; the `payload` of a cancelled storage is never written
/// again. The remaining flags describe the storage: they are fixed at creation and change only in `replaceWork`. The
/// upper bits are two counters: interested handlers, and cancelled handlers that are still in the waiter list.
///
/// A uniquely referenced storage (``PromiseStorage/isUniquelyReferenced``) is changed by plain stores, without atomic
/// read-modify-write operations.
@usableFromInline
enum Flags: Sendable {
    @inlinable static var started: UInt64 { 1 << 0 }
    @inlinable static var waiting: UInt64 { 1 << 1 }
    @inlinable static var fired: UInt64 { 1 << 2 }
    @inlinable static var borrowed: UInt64 { 1 << 3 }
    @inlinable static var claimed: UInt64 { 1 << 4 }
    @inlinable static var rejected: UInt64 { 1 << 5 }
    @inlinable static var cancelled: UInt64 { 1 << 6 }
    /// `payload` holds the operator's closure, until the storage fires or is cancelled.
    @inlinable static var work: UInt64 { 1 << 7 }
    /// The input of the work, a small trivial value, is stored inline behind it; there is no upstream.
    @inlinable static var inlineInput: UInt64 { 1 << 8 }
    /// Once started, `payload` holds a resource that must be released on cancellation, by
    /// ``PromiseStorage/StepEvent/release``.
    @inlinable static var held: UInt64 { 1 << 9 }
    /// This waiter list entry is an interim value in flight, not a handler.
    @inlinable static var interim: UInt64 { 1 << 10 }
    /// The upstream's interim values are delivered to this storage.
    @inlinable static var wantsInterims: UInt64 { 1 << 11 }
    /// A cancellation hook: it waits on the upstream without being counted in the upstream's interest.
    @inlinable static var uninterested: UInt64 { 1 << 12 }
    @inlinable static var hasUpstream: UInt64 { 1 << 13 }
    /// The work needs the scheduler of the chain; the storage has a field for it.
    @inlinable static var hasScheduler: UInt64 { 1 << 14 }
    @inlinable static var hasLabel: UInt64 { 1 << 15 }

    /// The index of the first word behind the optional fields whose flags are lower than `flag`; 0 means all of them.
    @inlinable
    static func start(of flag: UInt64, in flags: UInt64) -> Int {
        let before = flags & (flag &- 1)
        let hasUpstream = before >> 13 & 1
        let hasScheduler = before >> 14 & 1
        let hasLabel = before >> 15 & 1
        return Int(2 + 2 * (hasUpstream + hasScheduler + hasLabel))
    }

    /// For a storage that cannot be cancelled before it is enqueued in a waiter list.
    @inlinable static var startedAndWaiting: UInt64 { started | waiting }

    /// `start()` retains the interest: it is counted once, and only an explicit `cancel` ends it.
    static var retainedByStart: UInt64 { 1 << 16 }

    // 28 bits count the interested handlers, more than fit into memory. The remaining bits count the cancelled ones,
    // which are swept long before the counter is full; as the topmost field it cannot overflow into another.
    static var interest: UInt64 { 1 << 17 }
    static var cancelledHandlers: UInt64 { 1 << 45 }
    static func interest(_ flags: UInt64) -> UInt64 { (flags >> 17) & 0xFFF_FFFF }
    static func cancelledHandlers(_ flags: UInt64) -> UInt64 { flags >> 45 }
}

extension PromiseStorage {
    @usableFromInline
    enum StepEvent: Sendable {
        /// The upstream has settled, or the work is to begin. The step owns `payload`.
        case fire
        /// The upstream reported an interim value, held by the second argument. The step borrows `payload`.
        case interim
        /// The value in `payload` is to be destroyed.
        case dispose
        /// The held resource is to be released, on cancellation. The step owns `payload`.
        case release
    }

    /// The scheduler of the chain; always nil in a storage without a field for it, where setting it is a no-op.
    var scheduler: (any SerialScheduler)? {
        get { has(Flags.hasScheduler) ? schedulerSlot.pointee : nil }
        set { if has(Flags.hasScheduler) { schedulerSlot.pointee = newValue } }
    }

    /// Where the promise was created, with its label, if any.
    @usableFromInline var origin: Origin {
        Origin(place: headerPointer.pointee.origin, label: has(Flags.hasLabel) ? label.pointee : nil)
    }

    /// The flags, loaded relaxed: for flags that do not change, or that only this thread can change.
    @inlinable var kind: UInt64 { flags.pointee.load(ordering: .relaxed) }

    var present: UInt64 { flags.pointee.load(ordering: .acquiring) }

    @usableFromInline
    func has(_ bits: UInt64) -> Bool { present & bits != 0 }

    /// Sets bits atomically and returns the previous flags.
    @usableFromInline
    @discardableResult
    func setFlags(_ bits: UInt64) -> UInt64 {
        flags.pointee.bitwiseOr(bits, ordering: .acquiringAndReleasing).oldValue
    }

    /// Like `setFlags`, without atomic read-modify-write; for a uniquely referenced storage only.
    @discardableResult
    func setFlagsUnshared(_ bits: UInt64, counting change: UInt64 = 0) -> UInt64 {
        let before = kind
        flags.pointee.store((before | bits) &+ change, ordering: .relaxed)
        return before
    }

    /// Clears bits atomically and returns the previous flags.
    func clearFlags(_ bits: UInt64) -> UInt64 {
        flags.pointee.bitwiseAnd(~bits, ordering: .acquiringAndReleasing).oldValue
    }

    /// Adds `change` to the counters and returns the new flags.
    @discardableResult
    func count(_ change: UInt64) -> UInt64 {
        flags.pointee.wrappingAdd(change, ordering: .acquiringAndReleasing).newValue
    }

    /// Counts one more interested handler and sets `started`, in one atomic step; returns the previous flags.
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

    /// Like `retainAndStart`, for a starter that comes from a downstream storage. If that holds the only reference,
    /// this storage cannot be cancelled before it is enqueued upstream, so `waiting` is set at the same time.
    func retainAndStartFromBelow() -> UInt64 {
        guard isUniquelyReferenced else { return retainAndStart() }
        let isIdle = kind & (Flags.started | Flags.claimed) == 0
        return setFlagsUnshared(isIdle ? Flags.startedAndWaiting : Flags.started, counting: Flags.interest)
    }

    /// Sets `started` and `fired` in one step; a no-op that returns false if the storage was started or claimed before.
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

    /// Acquires the right to write the outcome; returns the previous flags, or nil if it was claimed before.
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
