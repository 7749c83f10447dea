internal import Synchronization
// Linked lists of storage objects through `links.next`. The atomic word of a waiter list: ``WaiterListState``.

extension PromiseStorage {
    /// Replaces the word with `desired(word)` atomically and returns the previous word. If `desired` returns nil,
    /// changes nothing and returns nil. Either way, the writes that preceded the observed word are visible afterwards.
    func exchange(_ desired: (UInt) -> UInt?) -> UInt? {
        var word = waiterList.pointee.load(ordering: .acquiring)
        while let next = desired(word) {
            let (exchanged, handled) = waiterList.pointee.weakCompareExchange(
                expected: word, desired: next, ordering: .acquiringAndReleasing)
            if exchanged { return word }
            word = handled
        }
        return nil
    }

    /// Pushes an entry and sets `bits`; returns the previous word, or nil, without effect, if a `forbidden` bit is set.
    func push(_ entry: PromiseStorage, _ bits: UInt, unless forbidden: UInt) -> UInt? {
        // Retained before the push: after it, the owner of the list may release the entry at any moment.
        let counted = Unmanaged.passRetained(entry)
        let (address, links) = (entry.address, entry.links)
        let before = exchange { word in
            guard word & forbidden == 0 else { return nil }
            links.pointee.next = PromiseStorage.top(of: word)
            return address | word & WaiterListState.bits | bits
        }
        if before == nil { counted.release() }
        return before
    }

    fileprivate static func top(of word: UInt) -> Unmanaged<PromiseStorage>? {
        UnsafeRawPointer(bitPattern: word & ~WaiterListState.bits).map { Unmanaged.fromOpaque($0) }
    }
}

/// Entries taken from a waiter list, the oldest first. The queue owns one reference to each; `popFirst` transfers it.
struct WaiterQueue {
    private var first: Unmanaged<PromiseStorage>?
    private var last: Unmanaged<PromiseStorage>?
    /// The union of the entries' flags at the time they were taken.
    private(set) var flags: UInt64 = 0

    /// The entries of a waiter list's word; empty for 0.
    init(_ word: UInt) { self.init(reversing: PromiseStorage.top(of: word)) }

    init(reversing newest: Unmanaged<PromiseStorage>?) {
        last = newest
        var node = newest
        while let current = node {
            node = current._withUnsafeGuaranteedRef { storage in
                flags |= storage.present
                defer { storage.links.pointee.next = first }
                return storage.links.pointee.next
            }
            first = current
        }
    }

    var address: UInt { first.map { $0._withUnsafeGuaranteedRef { $0.address } } ?? 0 }

    mutating func popFirst() -> Unmanaged<PromiseStorage>? {
        guard let node = first else { return nil }
        first = node._withUnsafeGuaranteedRef { $0.links.pointee.next }
        if first == nil { last = nil }
        return node
    }

    mutating func append(_ node: Unmanaged<PromiseStorage>) {
        node._withUnsafeGuaranteedRef { $0.links.pointee.next = nil }
        if let last { last._withUnsafeGuaranteedRef { $0.links.pointee.next = node } } else { first = node }
        last = node
    }

    mutating func reverse() { self = WaiterQueue(reversing: first) }

    func forEach(_ body: (PromiseStorage) -> Void) {
        var node = first
        while let current = node {
            current._withUnsafeGuaranteedRef(body)
            node = current._withUnsafeGuaranteedRef { $0.links.pointee.next }
        }
    }
}

/// The path from a promise that is being started up to its source, linked downwards through `next`, which is unused
/// until a storage is enqueued upstream. It retains nothing: a started storage that is not `waiting` keeps its
/// upstream.
struct UnstartedChain {
    private var highest: Unmanaged<PromiseStorage>
    private var below: Unmanaged<PromiseStorage>?
    private(set) var startedTop = true  // this call started the topmost one

    /// Starts every unstarted storage upstream of `storage`.
    init(from storage: PromiseStorage, _ scheduler: (any SerialScheduler)?) {
        highest = Unmanaged.passUnretained(storage)
        while startedTop, let upstream = prepare(scheduler) {
            (below, highest) = (highest, upstream)
            let before = upstream._withUnsafeGuaranteedRef { $0.retainAndStartFromBelow() }
            startedTop = before & (Flags.started | Flags.claimed) == 0
        }
    }

    private func prepare(_ scheduler: (any SerialScheduler)?) -> Unmanaged<PromiseStorage>? {
        highest._withUnsafeGuaranteedRef { storage in
            if let scheduler { storage.scheduler = scheduler }
            guard storage.has(Flags.hasUpstream), let upstream = storage.links.pointee.upstream else {
                return nil
            }
            storage.links.pointee.next = below
            return upstream
        }
    }

    func withTop<Result>(_ body: (PromiseStorage) -> Result) -> Result {
        highest._withUnsafeGuaranteedRef(body)
    }

    /// Calls `body` with each storage and its upstream, from the top down. Afterwards both may have been released.
    ///
    /// Once a storage is `waiting`, a canceller may release its upstream, which is therefore retained during `body`.
    /// This is unnecessary for a storage that cannot be cancelled yet; that one is marked as waiting already.
    func descend(_ body: (PromiseStorage, PromiseStorage) -> Void) {
        var (upper, lower) = (highest, below)
        while let storage = lower {
            lower = storage._withUnsafeGuaranteedRef { $0.links.pointee.next }
            let cannotBeCancelled = storage._withUnsafeGuaranteedRef { $0.kind & Flags.waiting != 0 }
            if !cannotBeCancelled { _ = upper.retain() }
            storage._withUnsafeGuaranteedRef { storage in upper._withUnsafeGuaranteedRef { body(storage, $0) }
            }
            if !cannotBeCancelled { upper.release() }
            upper = storage
        }
    }
}
