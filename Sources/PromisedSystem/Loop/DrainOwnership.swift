internal import Promise
public import Synchronization

/// Who drains a loop, and what arrives meanwhile: the one part of it that several threads touch.
///
/// | bit | set by | means |
/// |---|---|---|
/// | `owned` | whoever begins to drain | everything behind the gate is this thread's alone |
/// | `mail` | a sender, with what it brings | the owner must not leave before it has looked |
/// | `special` | a sender, with more than an event | the owner must look before the next turn |
/// | `wakeUpScheduled` | a sender away from the scheduler | the scheduler will call back |
/// | `stopped` | the end | nobody enters any more, and nothing is taken in |
///
/// An event that finds the gate open on the right scheduler costs two exchanges and no lock.
@usableFromInline
final class DrainOwnership<Message: Sendable>: Sendable {
    @usableFromInline let word = Atomic<UInt8>(0)
    @usableFromInline let inbox = Lock(Inbox<Message>())

    @usableFromInline
    init() {}

    /// Makes the caller the owner if nobody is and nothing waits.
    @inlinable
    func enter() -> Bool {
        word.compareExchange(expected: 0, desired: Bits.owned, ordering: .acquiringAndReleasing).exchanged
    }

    /// Gives ownership back; false, and it is kept, when there is mail or the end has come.
    @inlinable
    func leave() -> Bool {
        word.compareExchange(expected: Bits.owned, desired: 0, ordering: .acquiringAndReleasing).exchanged
            || leaveInPassing()
    }

    @inlinable var isStopped: Bool { word.load(ordering: .acquiring) & Bits.stopped != 0 }
    @inlinable var hasPending: Bool { word.load(ordering: .acquiring) & Bits.mail != 0 }
    @inlinable var hasUrgent: Bool { word.load(ordering: .acquiring) & Bits.special != 0 }

    @usableFromInline
    func leaveInPassing() -> Bool {
        change { $0 & (Bits.mail | Bits.stopped) != 0 ? nil : $0 & ~Bits.owned } != nil
    }

    /// Who looks at what was put in.
    @usableFromInline
    enum WakeUp: Sendable {
        /// Somebody drains, or is about to.
        case none
        /// The caller, who is the owner now.
        case drain
        /// Have the scheduler call back.
        case schedule
    }

    /// Takes a message in, and says who shall look at it; nothing is taken in after the end.
    @inlinable
    func put(_ message: Message, isUrgent: Bool, isOnScheduler: Bool) -> WakeUp {
        let before = inbox.withLock { inbox in
            let before = change {
                $0 & Bits.stopped != 0 ? nil : $0 | (isUrgent ? Bits.mail | Bits.special : Bits.mail)
            }
            if before != nil { inbox.append(message, isUrgent: isUrgent) }
            return before
        }
        guard let before, before & Bits.owned == 0 else { return .none }
        if isOnScheduler { return tryAcquirePending() ? .drain : .none }
        let now = change { $0 & (Bits.owned | Bits.wakeUpScheduled) != 0 ? nil : $0 | Bits.wakeUpScheduled }
        return now == nil ? .none : .schedule
    }

    /// Makes the caller the owner of what has arrived; false if somebody else is, or has seen to it.
    @usableFromInline
    func tryAcquirePending() -> Bool {
        change { $0 & Bits.owned != 0 || $0 & Bits.mail == 0 ? nil : $0 | Bits.owned } != nil
    }

    /// The scheduler has called back: as ``tryAcquirePending()``.
    @usableFromInline
    func tryAcquireAfterWakeUp() -> Bool {
        _ = change { $0 & ~Bits.wakeUpScheduled }
        return tryAcquirePending()
    }

    /// For the owner: what has arrived, in the order in which it did.
    @inlinable
    func drainInbox() -> Inbox<Message> {
        var mail = Inbox<Message>()
        exchangeInbox(for: &mail)
        return mail
    }

    /// For the owner: gives what has arrived for something empty, whose room is used again.
    @inlinable
    func exchangeInbox(for empty: inout Inbox<Message>) {
        inbox.withLock { inbox in
            _ = change { $0 & ~(Bits.mail | Bits.special) }
            swap(&inbox, &empty)
        }
    }

    /// Lets nobody in any more.
    ///
    /// - Returns: Whether the caller is the owner now, so that it may clear what lies behind the gate; else
    ///   whoever drains does that.
    @usableFromInline
    func stop() -> Bool {
        let before = change { $0 | Bits.stopped | Bits.owned }
        return before.map { $0 & Bits.owned == 0 } ?? false
    }

    /// Replaces the word by what `desired` makes of it, and returns it as it was; nil, and nothing is changed,
    /// when `desired` says so.
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
        @inlinable static var mail: UInt8 { 2 }
        @inlinable static var wakeUpScheduled: UInt8 { 4 }
        @inlinable static var stopped: UInt8 { 8 }
        @inlinable static var special: UInt8 { 16 }
    }
}
