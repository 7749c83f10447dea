internal import Synchronization
// The lists that cells form through `next`. What the word of a mailbox means, and its transitions: ``WaiterListState``.

extension PromiseStorage {
    /// Replaces the word by what `desired` makes of it, and returns it as it was; nil, and nothing is changed,
    /// when `desired` says so. Either way what the word's writer wrote before is visible afterwards.
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

    /// Puts an entry on top and sets `bits`; returns the word as it was, nil where a forbidden bit is set.
    func push(_ entry: PromiseStorage, _ bits: UInt, unless forbidden: UInt) -> UInt? {
        // Counted first: once it is in there, its owner may let go of it at any moment.
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

/// Cells linked through `next`, oldest first; each counts one reference, which `popFirst` hands over.
struct WaiterQueue {
    private var first: Unmanaged<PromiseStorage>?
    private var last: Unmanaged<PromiseStorage>?
    /// All the flags that the cells had between them when they were taken.
    private(set) var flags: UInt64 = 0

    /// What a mailbox held; of 0, none.
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

/// The cells from one that is started up to what they wait for in the end, linked downwards, as none needs its
/// `next` before it is listed. Nothing is counted: started and not waiting, each keeps the one above it.
struct UnstartedChain {
    private var highest: Unmanaged<PromiseStorage>
    private var below: Unmanaged<PromiseStorage>?
    private(set) var isOurs = true  // the topmost was started on this path

    /// Starts all that are above `storage` and have not been started.
    init(from storage: PromiseStorage, _ scheduler: (any SerialScheduler)?) {
        highest = Unmanaged.passUnretained(storage)
        while isOurs, let upstream = prepare(scheduler) {
            (below, highest) = (highest, upstream)
            let before = upstream._withUnsafeGuaranteedRef { $0.retainAndStartFromBelow() }
            isOurs = before & (Flags.started | Flags.claimed) == 0
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

    /// Calls `body` with each and the one that it waits for, from the top. After that they may be gone. When a
    /// cell waits, its canceller may let go of the one above, which is kept here, unless the cell has no
    /// canceller, and so is marked as waiting already.
    func descend(_ body: (PromiseStorage, PromiseStorage) -> Void) {
        var (upper, lower) = (highest, below)
        while let storage = lower {
            lower = storage._withUnsafeGuaranteedRef { $0.links.pointee.next }
            let isHidden = storage._withUnsafeGuaranteedRef { $0.kind & Flags.waiting != 0 }
            if !isHidden { _ = upper.retain() }
            storage._withUnsafeGuaranteedRef { storage in upper._withUnsafeGuaranteedRef { body(storage, $0) }
            }
            if !isHidden { upper.release() }
            upper = storage
        }
    }
}
