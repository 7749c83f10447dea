internal import Synchronization

extension PromiseStorage {
    /// Whether the list is empty, not owned and not settled; meaningful for a uniquely referenced storage only.
    var hasNoWaiters: Bool { waiterList.pointee.load(ordering: .relaxed) == 0 }

    /// Enqueues a handler; returns false if the promise has settled.
    func list(_ handler: PromiseStorage) -> Bool { push(handler, 0, unless: WaiterListState.settled) != nil }

    /// Enqueues an interim value; returns nil if the promise has settled, otherwise whether the list already had an
    /// owner. If it had none, the caller is now the owner and must deliver.
    func enqueue(_ interim: PromiseStorage) -> Bool? {
        push(interim, WaiterListState.owned, unless: WaiterListState.settled).map {
            $0 & WaiterListState.owned != 0
        }
    }

    /// Acquires the ownership of the list, to sweep it; returns false if it has an owner or the promise has settled.
    func acquireOwnership() -> Bool {
        waiterList.exchange {
            $0 & (WaiterListState.owned | WaiterListState.settled) == 0 ? $0 | WaiterListState.owned : nil
        } != nil
    }

    // MARK: Operations for the owner

    /// Removes all entries and returns them, the oldest first, and whether the promise has settled.
    func take() -> (WaiterQueue, isSettled: Bool) {
        let word = waiterList.exchange { $0 & WaiterListState.bits } ?? 0
        return (WaiterQueue(word), word & WaiterListState.settled != 0)
    }

    /// Puts the handlers back and releases the ownership. If an entry arrived or the promise settled meanwhile, returns
    /// false and leaves `handlers` unchanged.
    func restore(_ handlers: inout WaiterQueue) -> Bool {
        handlers.reverse()
        if waiterList.exchange({ [address = handlers.address] in $0 == WaiterListState.owned ? address : nil }
        ) != nil {
            return true
        }
        handlers.reverse()
        return false
    }
}

extension Unmanaged<PromiseStorage> {
    var isInterim: Bool { _withUnsafeGuaranteedRef { $0.has(.interim) } }
    var isCancelled: Bool { _withUnsafeGuaranteedRef { $0.has(.claimed) } }
}

extension PromiseStorage {
    /// Pushes an entry and sets `bits`; returns the previous word, or nil, without effect, if a `forbidden` bit is set.
    func push(_ entry: PromiseStorage, _ bits: UInt64, unless forbidden: UInt64) -> UInt64? {
        // Retained before the push: after it, the owner of the list may release the entry at any moment.
        let counted = Unmanaged.passRetained(entry)
        let (address, links) = (entry.address, entry.links)
        let before = waiterList.exchange { word in
            guard word & forbidden == 0 else { return nil }
            links.pointee.next = PromiseStorage.top(of: word)
            return address | word & WaiterListState.bits | bits
        }
        if before == nil { counted.release() }
        return before
    }

    fileprivate static func top(of word: UInt64) -> Unmanaged<PromiseStorage>? {
        UnsafeRawPointer(bitPattern: UInt(word & ~WaiterListState.bits)).map { Unmanaged.fromOpaque($0) }
    }
}

/// Entries taken from a waiter list, the oldest first. The queue owns one reference to each; `popFirst` transfers it.
struct WaiterQueue {
    private var first: Unmanaged<PromiseStorage>?
    private var last: Unmanaged<PromiseStorage>?
    /// The union of the entries' flags at the time they were taken.
    private(set) var flags: PromiseStorage.State = .noFlags

    /// The entries of a waiter list's word; empty for 0.
    init(_ word: UInt64) { self.init(reversing: PromiseStorage.top(of: word)) }

    init(reversing newest: Unmanaged<PromiseStorage>?) {
        last = newest
        var node = newest
        while let current = node {
            node = current._withUnsafeGuaranteedRef { storage in
                flags = flags | storage.state
                defer { storage.links.pointee.next = first }
                return storage.links.pointee.next
            }
            first = current
        }
    }

    var address: UInt64 { first.map { $0._withUnsafeGuaranteedRef { $0.address } } ?? 0 }

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
