internal import Synchronization

/// The atomic word of a promise's waiter list: the address of the newest entry, and two bits.
///
/// Until the promise settles, any thread may push. Only the *owner* removes entries and delivers, so interim values and
/// the outcome are delivered by one thread at a time, in the order of arrival, the outcome last. A thread that finds
/// the list owned enqueues its entry and returns: the owner checks for new entries before it releases the ownership.
@usableFromInline
enum WaiterListState: Sendable {
    /// The outcome is in `payload`. Set with release ordering, so a reader that acquires it may read the outcome. No
    /// entry is accepted from then on: a handler that is attached later is run through its thread's trampoline.
    @inlinable static var settled: UInt { 1 }
    /// A thread is delivering, or has enqueued the delivery on its trampoline.
    static var owned: UInt { 2 }
    static var bits: UInt { 7 }
}

extension PromiseStorage {
    /// Whether the outcome may be read.
    @usableFromInline var isSettled: Bool {
        waiterList.pointee.load(ordering: .acquiring) & WaiterListState.settled != 0
    }

    /// Whether the list is empty, not owned and not settled; meaningful for a uniquely referenced storage only.
    var hasNoWaiters: Bool { waiterList.pointee.load(ordering: .relaxed) == 0 }

    /// Publishes the outcome, which is in `payload`; returns the entries, if any, to which the caller must deliver it.
    /// Returns nil if there are none, or if the list has an owner, who then delivers.
    func settle() -> UInt? {
        let before = exchange { word in
            // An owner sees the bit and takes the entries itself.
            word & WaiterListState.owned != 0 ? word | WaiterListState.settled : WaiterListState.settled
        }
        guard let before, before & WaiterListState.owned == 0, before != 0 else { return nil }
        return before
    }

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
        exchange {
            $0 & (WaiterListState.owned | WaiterListState.settled) == 0 ? $0 | WaiterListState.owned : nil
        } != nil
    }

    // MARK: Operations for the owner

    /// Removes all entries and returns them, the oldest first, and whether the promise has settled.
    func take() -> (WaiterQueue, isSettled: Bool) {
        let word = exchange { $0 & WaiterListState.bits } ?? 0
        return (WaiterQueue(word), word & WaiterListState.settled != 0)
    }

    /// Puts the handlers back and releases the ownership. If an entry arrived or the promise settled meanwhile, returns
    /// false and leaves `handlers` unchanged.
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
