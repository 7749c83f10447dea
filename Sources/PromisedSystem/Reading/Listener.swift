internal import Promise
public import Synchronization

/// Somebody who is told what happens, one at a time and in order.
///
/// Told by the owner of the loop alone, so in the course of events nothing has to be kept and no lock is taken.
/// Only while a new listener is told the present state, on a thread of its own choice, what comes meanwhile is
/// kept for it.
@usableFromInline
final class Listener<Message: Sendable>: Sendable {
    /// Needed only while the present state is being told and others come.
    private struct Mail: Sendable {
        var kept = Deque<Message>()
        var isOver = false
    }

    @usableFromInline
    enum Phase: UInt8, AtomicRepresentable, Sendable {
        /// Told as it comes.
        case live
        /// Being told the present state; nothing has come meanwhile.
        case gathering
        /// The same, and what came meanwhile is kept: from here on by whoever has the lock of the mail.
        case keeping
        /// Told nothing any more.
        case over
    }

    @usableFromInline let phase = Atomic(Phase.live)
    private let lazyMail = AtomicLazyReference<Lock<Mail>>()
    @usableFromInline let body: @Sendable (Message) -> Void
    private let onEnd: @Sendable () -> Void

    @usableFromInline
    init(
        _ body: @escaping @Sendable (Message) -> Void, onEnd: @escaping @Sendable () -> Void = {}
    ) {
        (self.body, self.onEnd) = (body, onEnd)
    }

    private var mail: Lock<Mail> { lazyMail.load() ?? lazyMail.storeIfNil(Lock(Mail())) }

    private func move(from before: Phase, to next: Phase) -> Bool {
        phase.compareExchange(expected: before, desired: next, ordering: .acquiringAndReleasing).exchanged
    }

    /// Whether it is to be told nothing any more.
    var isCancelled: Bool { phase.load(ordering: .acquiring) == .over }

    /// For the owner of the loop.
    @inlinable
    func tell(_ message: Message) {
        if phase.load(ordering: .acquiring) == .live { body(message) } else { keep(message) }
    }

    /// Keeps what comes from now on, until ``replay(_:then:)``; before anybody else knows it.
    func gather() { phase.store(.gathering, ordering: .releasing) }

    @usableFromInline
    func keep(_ message: Message) {
        _ = move(from: .gathering, to: .keeping)
        guard phase.load(ordering: .acquiring) == .keeping else { return notifyIfLive(message) }
        let isKept = mail.withLock { mail in
            let isKeeping = phase.load(ordering: .acquiring) == .keeping
            if isKeeping { mail.kept.append(message) }
            return isKeeping
        }
        if !isKept { notifyIfLive(message) }
    }

    private func notifyIfLive(_ message: Message) {
        if phase.load(ordering: .acquiring) == .live { body(message) }
    }

    /// Tells the present state right here, and what has come meanwhile where the owner tells.
    func replay(_ present: Message, then onOwnerThread: (@escaping @Sendable () -> Void) -> Void) {
        body(present)
        if !becomesLive() { onOwnerThread { [self] in while !becomesLive() { notifyBuffered() } } }
    }

    /// For the owner of the loop: tells a state to a listener that has been gathering, in place of what was kept, and
    /// every one from now on.
    func join(_ present: Message) {
        guard !move(from: .gathering, to: .live) else { return body(present) }
        guard phase.load(ordering: .acquiring) == .keeping else { return }
        let (isLive, kept) = mail.withLock { mail in
            defer { mail.kept = Deque() }
            return (!mail.isOver && move(from: .keeping, to: .live), mail.kept)
        }
        withExtendedLifetime(kept) {}
        if isLive { body(present) }
    }

    /// Ends the gathering if nothing was kept, or nothing may be told any more.
    private func becomesLive() -> Bool {
        if move(from: .gathering, to: .live) { return true }
        guard phase.load(ordering: .acquiring) == .keeping else { return true }
        let (isDone, isOver) = mail.withLock { mail in
            guard mail.kept.isEmpty else { return (false, false) }
            return (true, move(from: .keeping, to: mail.isOver ? .over : .live) && mail.isOver)
        }
        if isOver { onEnd() }
        return isDone
    }

    private func notifyBuffered() {
        var kept = mail.withLock { mail in
            defer { mail.kept = Deque() }
            return mail.kept
        }
        while let message = kept.popFirst(), !isCancelled { body(message) }
    }

    /// Tells nothing any more, not even the rest of what is under way.
    @usableFromInline
    func retire() {
        let before = phase.exchange(.over, ordering: .acquiringAndReleasing)
        if before == .keeping { dropBuffered() }
    }

    private func dropBuffered() {
        let kept = mail.withLock { mail in
            defer { mail.kept = Deque() }
            return mail.kept
        }
        // Its end must not come under the lock.
        withExtendedLifetime(kept) {}
    }

    /// Tells no state any more, but still the present one if that is being told, and then the end.
    ///
    /// - Parameter tellsKept: Whether what has come while the present one is being told is told as well.
    func finish(tellsKept: Bool = false) {
        while !isCancelled {
            if move(from: .live, to: .over) { return onEnd() }
            _ = move(from: .gathering, to: .keeping)
            if phase.load(ordering: .acquiring) == .keeping, let dropped = finishLater(tellsKept) {
                return withExtendedLifetime(dropped) {}
            }
        }
    }

    /// - Returns: What is not to be told; nil if there is nobody any more who is telling the present state and will see
    ///   to the end.
    private func finishLater(_ tellsKept: Bool) -> Deque<Message>? {
        mail.withLock { mail in
            guard phase.load(ordering: .acquiring) == .keeping else { return nil }
            mail.isOver = true
            guard !tellsKept else { return Deque() }
            defer { mail.kept = Deque() }
            return mail.kept
        }
    }
}
