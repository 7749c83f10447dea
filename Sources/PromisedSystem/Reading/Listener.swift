internal import Promise
public import Synchronization

/// Somebody who is told every state that is shown, one at a time and in order.
///
/// Told by the owner of the loop alone, so in the course of events nothing has to be kept and no lock is taken.
/// Only while a new listener is told the present state, on a thread of its own choice, what comes meanwhile is
/// kept for it.
@usableFromInline
final class Listener<State: Sendable>: Sendable {
    private struct Mail {
        /// What came while the present state was being told.
        var kept = FIFO<Moment<State>>()
        var isOver = false
    }

    private let mail = Lock(Mail())
    private let phase = Atomic(Phase.live)
    @usableFromInline let isLive = Atomic(true)
    @usableFromInline let body: @Sendable (Moment<State>) -> Void
    private let onEnd: @Sendable () -> Void

    @usableFromInline
    init(
        _ body: @escaping @Sendable (Moment<State>) -> Void, onEnd: @escaping @Sendable () -> Void = {}
    ) {
        (self.body, self.onEnd) = (body, onEnd)
    }

    /// Whether it is to be told nothing any more.
    var isRetired: Bool { phase.load(ordering: .acquiring) == .over }

    /// For the owner of the loop.
    @inlinable
    func tell(_ moment: Moment<State>) {
        if isLive.load(ordering: .acquiring) { body(moment) } else { keep(moment) }
    }

    /// Keeps what comes from now on, until ``replay(_:then:)``; for one that nobody knows yet.
    func gather() {
        phase.store(.gathering, ordering: .releasing)
        isLive.store(false, ordering: .releasing)
    }

    @usableFromInline
    func keep(_ moment: Moment<State>) {
        let isKept = mail.withLock { mail in
            // Looked at under the lock: whoever ends the gathering does it there.
            guard phase.load(ordering: .acquiring) == .gathering else { return false }
            mail.kept.append(moment)
            return true
        }
        if !isKept, isLive.load(ordering: .acquiring) { body(moment) }
    }

    /// Tells the present state right here, and what has come meanwhile where the owner tells.
    func replay(_ present: Moment<State>, then onOwnersPlace: (@escaping @Sendable () -> Void) -> Void) {
        body(present)
        if !becomesLive() { onOwnersPlace { [self] in while !becomesLive() { tellKept() } } }
    }

    /// For the owner of the loop: tells a state to a listener that has been gathering, in place of what was kept, and
    /// every one from now on.
    func join(_ present: Moment<State>) {
        let kept = mail.withLock { mail -> FIFO<Moment<State>>? in
            guard phase.load(ordering: .acquiring) == .gathering, !mail.isOver else { return nil }
            phase.store(.live, ordering: .releasing)
            isLive.store(true, ordering: .releasing)
            defer { mail.kept = FIFO() }
            return mail.kept
        }
        if kept != nil { body(present) }
    }

    /// Ends the gathering if nothing was kept, or nothing may be told any more.
    private func becomesLive() -> Bool {
        let (isDone, isOver) = mail.withLock { mail in
            guard phase.load(ordering: .acquiring) == .gathering else { return (true, false) }
            guard mail.kept.isEmpty else { return (false, false) }
            phase.store(mail.isOver ? .over : .live, ordering: .releasing)
            isLive.store(!mail.isOver, ordering: .releasing)
            return (true, mail.isOver)
        }
        if isOver { onEnd() }
        return isDone
    }

    private func tellKept() {
        var kept = mail.withLock { mail in
            defer { mail.kept = FIFO() }
            return mail.kept
        }
        while let moment = kept.popFirst(), phase.load(ordering: .acquiring) == .gathering { body(moment) }
    }

    /// Tells nothing any more, not even the rest of what is under way.
    @usableFromInline
    func retire() {
        let kept = mail.withLock { mail in
            phase.store(.over, ordering: .releasing)
            isLive.store(false, ordering: .releasing)
            defer { mail.kept = FIFO() }
            return mail.kept
        }
        // Its end must not come under the lock.
        withExtendedLifetime(kept) {}
    }

    /// Tells no state any more, but still the present one if that is being told, and then the end.
    ///
    /// - Parameter tellsKept: Whether what has come while the present one is being told is told as well.
    func finish(tellsKept: Bool = false) {
        let (endsHere, kept) = mail.withLock { mail in
            let phase = phase.load(ordering: .acquiring)
            let kept = tellsKept ? FIFO() : mail.kept
            if !tellsKept { mail.kept = FIFO() }
            mail.isOver = true
            if phase == .live {
                self.phase.store(.over, ordering: .releasing)
                isLive.store(false, ordering: .releasing)
            }
            return (phase == .live, kept)
        }
        withExtendedLifetime(kept) {}
        if endsHere { onEnd() }
    }

    private enum Phase: UInt8, AtomicRepresentable {
        case live, gathering, over
    }
}
