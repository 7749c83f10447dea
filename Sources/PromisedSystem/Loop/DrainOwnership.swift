internal import Promise
public import Synchronization

/// The ownership of a loop, or of another queue that one thread at a time drains: that thread, and the inbox for
/// messages of all others.
///
/// | bit | set by | meaning |
/// |---|---|---|
/// | `owned` | the thread that starts to drain | this thread alone accesses the loop's owner-only state |
/// | `pending` | a sender, with its message | the inbox is not empty: the owner must not release ownership |
/// | `admission` | a sender, with anything but an event that is only to be enqueued | the owner must drain the inbox before the next turn |
/// | `wakeUpScheduled` | a sender off the scheduler | the scheduler will call back |
/// | `stopped` | the end of the loop | ownership can't be acquired, and messages are discarded |
/// | `held` | the owner | the owner performs commands only, and keeps everything else: see Loop+Holding.swift |
///
/// An event sent on the scheduler to an idle loop costs two atomic exchanges here, and not the lock of the inbox.
@usableFromInline
package final class DrainOwnership<Message: Sendable>: Sendable {
    @usableFromInline let word = Atomic<UInt8>(0)
    @usableFromInline let inbox = Lock(Inbox<Message>())

    @usableFromInline
    package init() {}

    /// Makes the caller the owner, if there is no owner, the inbox is empty, no wake-up is scheduled and the loop is not
    /// stopped.
    @inlinable
    func tryAcquire() -> Bool {
        word.compareExchange(expected: 0, desired: Bits.owned, ordering: .acquiringAndReleasing).exchanged
    }

    /// Releases ownership. Returns false, and the caller stays the owner, if the inbox is not empty or the loop was
    /// stopped.
    @inlinable
    package func release() -> Bool {
        word.compareExchange(expected: Bits.owned, desired: 0, ordering: .acquiringAndReleasing).exchanged
            || releaseIfNothingPending()
    }

    @inlinable var isStopped: Bool { word.load(ordering: .acquiring) & Bits.stopped != 0 }
    /// Whether the loop is stopped or held.
    @inlinable var isInterrupted: Bool { word.load(ordering: .acquiring) & (Bits.stopped | Bits.held) != 0 }
    @inlinable var isHeld: Bool { word.load(ordering: .acquiring) & Bits.held != 0 }

    /// Makes the caller the owner of a held loop, if there is no owner and the inbox is empty.
    func tryAcquireHeld() -> Bool {
        change { $0 & ~Bits.wakeUpScheduled == Bits.held ? $0 | Bits.owned : nil } != nil
    }

    /// For the owner: while the loop is held, ``tryAcquire()`` fails.
    func setHeld(_ isHeld: Bool) { _ = change { isHeld ? $0 | Bits.held : $0 & ~Bits.held } }
    @inlinable package var hasPending: Bool { word.load(ordering: .acquiring) & Bits.pending != 0 }
    @inlinable var hasAdmission: Bool { word.load(ordering: .acquiring) & Bits.admission != 0 }

    @usableFromInline
    func releaseIfNothingPending() -> Bool {
        change { $0 & (Bits.pending | Bits.stopped) != 0 ? nil : $0 & ~Bits.owned } != nil
    }

    /// Releases ownership although messages are pending; a call of ``tryAcquireAfterWakeUp()`` has to follow.
    ///
    /// - Returns: False after the end: the caller stays the owner.
    func releaseForWakeUp() -> Bool {
        change { $0 & Bits.stopped != 0 ? nil : $0 & ~Bits.owned | Bits.wakeUpScheduled } != nil
    }

    /// The sender's part in having its message handled.
    @usableFromInline
    enum WakeUp: Sendable {
        /// Nothing: another thread drains, or will after a scheduled wake-up.
        case none
        /// Drain: the caller is the owner now.
        case drain
        /// Schedule a wake-up, which calls ``tryAcquireAfterWakeUp()``.
        case schedule
    }

    /// Enqueues a message; discards it after the end.
    ///
    /// - Returns: The word before; nil after the end.
    @inlinable
    package func enqueue(_ message: Message, needsAdmission: Bool) -> UInt8? {
        inbox.withLock { inbox in
            let bits = needsAdmission ? Bits.pending | Bits.admission : Bits.pending
            let before = change { $0 & Bits.stopped != 0 ? nil : $0 | bits }
            if before != nil { inbox.append(message, needsAdmission: needsAdmission) }
            return before
        }
    }

    /// Enqueues a message, and says what is to be done to have it handled.
    @inlinable
    func post(_ message: Message, needsAdmission: Bool, isOnScheduler: Bool) -> WakeUp {
        guard let before = enqueue(message, needsAdmission: needsAdmission), before & Bits.owned == 0 else {
            return .none
        }
        if isOnScheduler { return tryAcquirePending() ? .drain : .none }
        let now = change { $0 & (Bits.owned | Bits.wakeUpScheduled) != 0 ? nil : $0 | Bits.wakeUpScheduled }
        return now == nil ? .none : .schedule
    }

    /// Makes the caller the owner, if there is no owner and the inbox is not empty.
    @usableFromInline
    package func tryAcquirePending() -> Bool {
        change { $0 & Bits.owned != 0 || $0 & Bits.pending == 0 ? nil : $0 | Bits.owned } != nil
    }

    /// The same as ``tryAcquirePending()``, for the call of a scheduled wake-up.
    @usableFromInline
    func tryAcquireAfterWakeUp() -> Bool {
        _ = change { $0 & ~Bits.wakeUpScheduled }
        return tryAcquirePending()
    }

    /// For the owner: removes the first message, for one that keeps no queue of its own.
    @inlinable
    package func popFirst() -> Message? {
        guard hasPending else { return nil }
        return inbox.withLock { inbox in
            let first = inbox.messages.popFirst()
            if inbox.isEmpty { _ = change { $0 & ~(Bits.pending | Bits.admission) } }
            return first
        }
    }

    /// For the owner: moves all messages to the end of a queue, in order of arrival. The capacity of an empty queue is
    /// reused for the inbox.
    @inlinable
    func drainInbox(to queue: inout Inbox<Message>) {
        inbox.withLock { inbox in
            _ = change { $0 & ~(Bits.pending | Bits.admission) }
            queue.take(&inbox)
        }
    }

    /// Ends the loop: ownership can't be acquired any more, and messages are discarded.
    ///
    /// - Returns: Whether the caller is the owner now and must clear the owner-only state; if not, the thread that
    ///   drains does.
    @usableFromInline
    func stop() -> Bool {
        let before = change { $0 | Bits.stopped | Bits.owned }
        return before.map { $0 & Bits.owned == 0 } ?? false
    }

    /// Atomically replaces the word by the result of `desired`, and returns the previous one. If `desired` returns
    /// nil, this returns nil and changes nothing.
    @inlinable
    func change(_ desired: (UInt8) -> UInt8?) -> UInt8? {
        var word = self.word.load(ordering: .acquiring)
        while let next = desired(word) {
            let (exchanged, seen) = self.word.weakCompareExchange(
                expected: word, desired: next, successOrdering: .acquiringAndReleasing,
                failureOrdering: .acquiring)
            if exchanged { return word }
            word = seen
        }
        return nil
    }

    @usableFromInline
    enum Bits: Sendable {
        @inlinable static var owned: UInt8 { 1 }
        @inlinable static var pending: UInt8 { 2 }
        @inlinable static var wakeUpScheduled: UInt8 { 4 }
        @inlinable static var stopped: UInt8 { 8 }
        @inlinable static var admission: UInt8 { 16 }
        @inlinable static var held: UInt8 { 32 }
    }
}
