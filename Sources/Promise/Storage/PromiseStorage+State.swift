public import Synchronization

extension PromiseStorage {
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
    /// `rejected` and `cancelled` are set together with `claimed`; the `payload` of a cancelled storage is never
    /// written again. The remaining flags describe the storage: they are fixed at creation and change only in
    /// `replaceWork`. The upper bits are two counters: interested handlers, and cancelled handlers that are still in
    /// the waiter list.
    ///
    /// A uniquely referenced storage (``PromiseStorage/isUniquelyReferenced``) is changed by plain stores, without
    /// atomic read-modify-write operations.
    // The methods below stand in for the generic ones of `OptionSet`, and hexadecimal numbers and `&<<` for the generic
    // `<<`, which are slow in debug builds.
    @usableFromInline
    struct State: OptionSet, Sendable {
        @usableFromInline let rawValue: UInt64
        @inlinable init(rawValue: UInt64) { self.rawValue = rawValue }

        static var started: State { .init(rawValue: 0x1) }
        static var waiting: State { .init(rawValue: 0x2) }
        static var fired: State { .init(rawValue: 0x4) }
        static var borrowed: State { .init(rawValue: 0x8) }
        @inlinable static var claimed: State { .init(rawValue: 0x10) }
        static var rejected: State { .init(rawValue: 0x20) }
        static var cancelled: State { .init(rawValue: 0x40) }
        /// `payload` holds the operator's closure, until the storage fires or is cancelled.
        @inlinable static var work: State { .init(rawValue: 0x80) }
        /// The input of the work, a small trivial value, is stored inline behind it; there is no upstream.
        @inlinable static var inlineInput: State { .init(rawValue: 0x100) }
        /// Once started, `payload` holds a resource that must be released on cancellation, by
        /// ``PromiseStorage/StepEvent/release``.
        static var held: State { .init(rawValue: 0x200) }
        /// This waiter list entry is an interim value in flight, not a handler.
        static var interim: State { .init(rawValue: 0x400) }
        /// The upstream's interim values are delivered to this storage.
        @inlinable static var wantsInterims: State { .init(rawValue: 0x800) }
        /// `start()` retains the interest: it is counted once, and only an explicit `cancel` ends it.
        static var retainedByStart: State { .init(rawValue: 0x1000) }
        @inlinable static var hasUpstream: State { .init(rawValue: 0x2000) }
        /// The storage has a field for the scheduler of the chain, which the work and the handlers inherit.
        @inlinable static var hasScheduler: State { .init(rawValue: 0x4000) }
        @inlinable static var hasLabel: State { .init(rawValue: 0x8000) }
        /// The value is not trivial: the step must destroy it.
        @inlinable static var needsDisposal: State { .init(rawValue: 0x1_0000) }
        /// A resolver that was created with the promise settles it.
        @inlinable static var resolvable: State { .init(rawValue: 0x2_0000) }
        @inlinable static var noFlags: State { .init(rawValue: 0) }
        /// For a storage that may have to wait for a second promise.
        @inlinable static var forwards: State { .init(rawValue: 0x6000) }
        /// For a storage that cannot be cancelled before it is enqueued in a waiter list.
        static var startedAndWaiting: State { .init(rawValue: 0x3) }

        // 27 bits count the interested handlers: 134 million. The remaining bits count the cancelled ones,
        // which are swept long before the counter is full; as the topmost field it cannot overflow into another.
        var interest: UInt64 { rawValue &>> 18 & 0x7FF_FFFF }
        var cancelledHandlers: UInt64 { rawValue &>> 45 }

        func counting(interest: Int, cancelledHandlers: Int = 0) -> State {
            let change = Int64(interest) &<< 18 &+ Int64(cancelledHandlers) &<< 45
            return .init(rawValue: rawValue &+ UInt64(bitPattern: change))
        }

        @inlinable
        static func | (one: State, other: State) -> State { .init(rawValue: one.rawValue | other.rawValue) }

        func contains(any flags: State) -> Bool { rawValue & flags.rawValue != 0 }

        /// For a single flag.
        @inlinable
        func contains(_ flag: State) -> Bool { rawValue & flag.rawValue != 0 }

        /// The index of the first word behind the optional fields whose flags are lower than `flag`; of all of them
        /// without one. Each field takes two words; a table counts the flags faster than additions.
        @inlinable
        func start(of flag: State = .noFlags) -> Int {
            let before = rawValue & (flag.rawValue &- 1)
            return 2 &+ 0x6442_4220 &>> Int(before &>> 11 & 0x1C) & 0xF
        }
    }

    /// The state, loaded relaxed: for flags that do not change, or that only this thread can change.
    @inlinable var kind: State { .init(rawValue: flags.pointee.load(ordering: .relaxed)) }

    var state: State { .init(rawValue: flags.pointee.load(ordering: .acquiring)) }

    func has(_ flags: State) -> Bool {
        self.flags.pointee.load(ordering: .acquiring) & flags.rawValue != 0
    }

    /// Sets flags atomically and returns the previous state.
    @discardableResult
    func insert(_ flags: State) -> State {
        .init(
            rawValue: self.flags.pointee.bitwiseOr(flags.rawValue, ordering: .acquiringAndReleasing).oldValue)
    }

    /// Clears flags atomically and returns the previous state.
    @discardableResult
    func remove(_ flags: State) -> State {
        .init(
            rawValue: self.flags.pointee.bitwiseAnd(~flags.rawValue, ordering: .acquiringAndReleasing)
                .oldValue)
    }

    /// Whether the caller holds the only reference. Every path to a storage retains it, so no other thread can reach
    /// it.
    var isUniquelyReferenced: Bool {
        var reference = Unmanaged.passUnretained(self)
        let isOnly = withUnsafeMutableBytes(of: &reference) {
            isKnownUniquelyReferenced(&$0.assumingMemoryBound(to: PromiseStorage.self)[0])
        }
        // Makes the writes visible that other threads made before they released their references.
        if isOnly { atomicMemoryFence(ordering: .acquiring) }
        return isOnly
    }

    /// Adds to the counters and returns the new state.
    @discardableResult
    func count(interest: Int = 0, cancelledHandlers: Int = 0) -> State {
        let change = State.noFlags.counting(interest: interest, cancelledHandlers: cancelledHandlers).rawValue
        return .init(rawValue: flags.pointee.wrappingAdd(change, ordering: .acquiringAndReleasing).newValue)
    }

    /// Like `insert`, without atomic read-modify-write; for a uniquely referenced storage only.
    @discardableResult
    func insertUnshared(_ flags: State, countingInterest interest: Int = 0) -> State {
        let before = kind
        self.flags.pointee.store((before | flags).counting(interest: interest).rawValue, ordering: .relaxed)
        return before
    }

    /// Replaces the state with `desired(state)` atomically and returns the previous one. If `desired` returns nil,
    /// changes nothing and returns nil.
    @inline(__always)
    func exchangeState(_ desired: (State) -> State?) -> State? {
        guard let word = flags.exchange({ desired(State(rawValue: $0))?.rawValue }) else { return nil }
        return State(rawValue: word)
    }

    /// Sets `started` and `fired` in one step; a no-op that returns false if the storage was started or claimed before.
    func startFired() -> Bool {
        exchangeState { $0.contains(any: .started | .claimed) ? nil : $0 | .started | .fired } != nil
    }

    /// Acquires the right to write the outcome; returns the previous state, or nil if it was claimed before.
    @usableFromInline
    func claim(_ flags: State = .noFlags) -> State? {
        exchangeState { $0.contains(.claimed) ? nil : $0 | .claimed | flags }
    }

    // MARK: Settling

    /// Whether the outcome may be read.
    @usableFromInline var isSettled: Bool {
        waiterList.pointee.load(ordering: .acquiring) & WaiterListState.settled != 0
    }

    /// Whether the promise has settled with a value.
    @usableFromInline var isFulfilled: Bool { isSettled && !isRejected }

    /// Whether the outcome is an error; meaningful once the promise has settled.
    @usableFromInline var isRejected: Bool { has(.rejected) }

    /// Whether the right to write the outcome has been acquired; the outcome may not be readable yet.
    var isClaimed: Bool { has(.claimed) }

    /// Whether the promise was rejected by a cancellation, as opposed to its work.
    var isCancelled: Bool { has(.cancelled) }

    /// Fulfills with a value; a no-op that returns false if the outcome was claimed before.
    @inlinable
    @discardableResult
    func fulfill<Value: Sendable>(_ value: Value) -> Bool { fulfill { write(value) } }

    @inlinable @inline(__always)
    func fulfill(_ writeValue: () -> Void) -> Bool {
        guard claim() != nil else { return false }
        writeValue()
        publish()
        return true
    }

    /// Publishes the outcome, which the thread that claimed it has written, and delivers it.
    @usableFromInline
    func publish() { if let waiters = settle() { Trampoline.current.deliver(self, waiters) } }

    func publish(_ trampoline: Trampoline) {
        if let waiters = settle() { trampoline.add(self, .deliver(waiters)) }
    }

    /// Publishes the outcome, which is in `payload`; returns the entries, if any, to which the caller must deliver it.
    /// Returns nil if there are none, or if the list has an owner, who then delivers.
    func settle() -> UInt64? {
        let before = waiterList.exchange { word in
            // An owner sees the bit and takes the entries itself.
            word & WaiterListState.owned != 0 ? word | WaiterListState.settled : WaiterListState.settled
        }
        guard let before, before & WaiterListState.owned == 0, before != 0 else { return nil }
        return before
    }

    /// Returns true if the promise is fulfilled, or can be by running inline work now, and no delivery is in progress
    /// on this thread. In that case a delivery has begun, which the caller must end by `Trampoline.end()`.
    @usableFromInline
    func settleSynchronously() -> Bool {
        let flags = state
        let isIdleInline = flags.intersection(.inlineInput | .started | .claimed) == .inlineInput
        guard isIdleInline || isSettled, !flags.contains(.rejected) else { return false }
        let trampoline = Trampoline.current
        guard !trampoline.isDraining else { return false }
        guard isIdleInline else {
            // A handler of another scheduler's chain inherits that, which takes the slower path.
            guard trampoline.hasScheduler || knownScheduler(flags) == nil else { return false }
            insert(.started)
            return trampoline.begin()
        }
        runInline(trampoline)
        trampoline.finish()
        return isSettled && !isRejected && trampoline.begin()
    }

    /// Starts a storage with inline input and runs its work directly: with no upstream, the trampoline's list would add
    /// cost without effect.
    @inline(__always)
    private func runInline(_ trampoline: Trampoline) {
        let isRecorded = trampoline.hasScheduler && has(.hasScheduler)
        guard isRecorded ? startFired(recordingFor: trampoline) : startFired() else { return }
        trampoline.draining { headerPointer.pointee.step(self, self, .fire) }
    }

    /// Records the inherited scheduler between the two flags; a storage that no other thread can reach needs no order.
    private func startFired(recordingFor trampoline: Trampoline) -> Bool {
        let isShared = !isUniquelyReferenced
        if isShared, insert(.started).contains(any: .started | .claimed) { return false }
        // It is nil, so there is nothing to release.
        schedulerSlot.initialize(to: trampoline.scheduler)
        guard isShared else {
            insertUnshared(.started | .fired)
            return true
        }
        return !insert(.fired).contains(.claimed)
    }
}

/// The atomic word of a promise's waiter list: the address of the newest entry, and two bits.
///
/// Until the promise settles, any thread may push. Only the *owner* removes entries and delivers, so interim values and
/// the outcome are delivered by one thread at a time, in the order of arrival, the outcome last. A thread that finds
/// the list owned enqueues its entry and returns: the owner checks for new entries before it releases the ownership.
@usableFromInline
enum WaiterListState: Sendable {
    /// The outcome is in `payload`. Set with release ordering, so a reader that acquires it may read the outcome. No
    /// entry is accepted from then on: a handler that is attached later is run through its thread's trampoline.
    @inlinable static var settled: UInt64 { 1 }
    /// A thread is delivering, or has enqueued the delivery on its trampoline.
    static var owned: UInt64 { 2 }
    static var bits: UInt64 { 7 }
}

extension UnsafeMutablePointer<Atomic<UInt64>> {
    /// Replaces the word with `desired(word)` atomically and returns the previous word. If `desired` returns nil,
    /// changes nothing and returns nil. Either way, the writes that preceded the observed word are visible afterwards.
    @inline(__always)
    func exchange(_ desired: (UInt64) -> UInt64?) -> UInt64? {
        var word = pointee.load(ordering: .acquiring)
        while let next = desired(word) {
            let (exchanged, current) = pointee.weakCompareExchange(
                expected: word, desired: next, ordering: .acquiringAndReleasing)
            if exchanged { return word }
            word = current
        }
        return nil
    }
}
