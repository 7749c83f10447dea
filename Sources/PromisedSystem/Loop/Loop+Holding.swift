internal import Promise
internal import Synchronization

// A loop that is held handles commands only. Everything else is kept, in order of arrival, but for events from outside
// if the hold drops these.
//
// The mark is a bit of the ownership, beside that of the end, and checked together with it: a loop that is not held has
// nothing more to check.

/// The numbers of messages that a held loop has kept and dropped; read from any thread.
@usableFromInline
package final class HoldCounts: Sendable {
    private let kept = Atomic(0), lost = Atomic(0)

    package init() {}

    /// The number of events and of other messages, such as answers, that are kept until the loop is released.
    package var waiting: Int { kept.load(ordering: .relaxed) }
    /// The number of events that were dropped, in all holds.
    package var dropped: Int { lost.load(ordering: .relaxed) }

    @usableFromInline func setWaiting(_ count: Int) { kept.store(count, ordering: .relaxed) }
    fileprivate func countDropped() { lost.wrappingAdd(1, ordering: .relaxed) }
}

extension LoopMachine {
    /// A hold of the loop: for its owner.
    @usableFromInline
    struct Hold: Sendable {
        /// Whether events that arrive are dropped.
        var dropsEvents: Bool
        @usableFromInline let counts: HoldCounts
        /// The messages for the time after the hold, and for steps.
        var kept = Inbox<Message>()
        /// Later messages, which were not handled yet.
        var arriving = Inbox<Message>()

        /// The events among the kept messages.
        var events: [PendingEvent] {
            kept.messages.all.compactMap { if case .event(let entry) = $0 { entry } else { nil } }
        }
    }
}

extension Loop {
    /// Holds the loop from now on: called by its owner, in a command. A second call changes `drops` only.
    func hold(dropping drops: Bool, _ counts: HoldCounts) {
        ownership.setHeld(true)
        if progress.hold == nil {
            progress.hold = Machine.Hold(dropsEvents: drops, counts: counts)
            probe?.note(.held(true))
        }
        progress.hold?.dropsEvents = drops
    }

    /// Called by its owner, in a command.
    func release() {
        guard var hold = progress.hold.take() else { return }
        hold.counts.setWaiting(0)
        hold.kept.take(&hold.arriving)
        hold.kept.take(&machine.arrived)
        machine.arrived = hold.kept
        ownership.setHeld(false)
        probe?.note(.held(false))
    }

    /// The part of the drain of a loop that is stopped or held.
    ///
    /// - Returns: Whether it was released, so that the drain continues. If not, this has released ownership.
    @usableFromInline
    func drainInterrupted() -> Bool {
        while true {
            handleArrivals()
            if ownership.isStopped {
                clear()
                return false
            }
            guard progress.hold != nil else { return true }
            isIdle = false
            owner.store(0, ordering: .relaxed)
            if ownership.release() { return false }
            owner.store(currentThread, ordering: .relaxed)
        }
    }

    private func handleArrivals() {
        while !ownership.isStopped, progress.hold != nil {
            ownership.drainInbox(to: &machine.arrived)
            progress.hold?.arriving.take(&machine.arrived)
            guard let message = progress.hold?.arriving.popFirst({ $0.needsAdmission }) else { return }
            handleArrival(message)
        }
    }

    private func handleArrival(_ message: Machine.Message) {
        switch message {
        case .command(let body): body()
        case .event(var entry) where progress.hold?.dropsEvents == true && entry.isFromOutside:
            if entry.sent?.number == 0 { noteArrival(&entry) }
            progress.hold?.counts.countDropped()
            drop(entry, .withdrawn)
        default:
            progress.hold?.kept.append(message, needsAdmission: message.needsAdmission)
            if let counts = progress.hold?.counts { counts.setWaiting(counts.waiting + 1) }
        }
    }

    /// Calls `body` as the owner, but what it sends arrives as if from outside.
    func leavingTurn(_ body: () -> Void) {
        let thread = owner.exchange(0, ordering: .relaxed)
        body()
        owner.store(thread, ordering: .relaxed)
    }

    // MARK: Steps

    /// Processes kept messages up to the next shown state, end of a transition, or turn of an event.
    func step() {
        guard progress.hold != nil else { return }
        while !isOver, makeStep() == .bookkeeping {}
        if let hold = progress.hold { hold.counts.setWaiting(hold.kept.messages.all.count) }
    }

    private enum StepResult { case nothing, bookkeeping, done }

    private func makeStep() -> StepResult {
        if var kept = progress.hold?.kept.take() { machine.arrived.take(&kept) }
        let action = machine.next(now: now)
        let entry = action == nil ? machine.nextEvent() : nil
        // Later messages are not mixed with those that were kept before.
        var kept = machine.arrived
        machine.arrived = Inbox()
        defer {
            progress.hold?.arriving.take(&machine.arrived)
            progress.hold?.kept.take(&kept)
        }
        if let action {
            perform(action)
            return action.isVisible ? .done : .bookkeeping
        }
        if let entry {
            if let reason = machine.dropReason(of: entry) { drop(entry, reason) } else { start(entry) }
            return .done
        }
        guard progress.replaced != nil, machine.turn == nil else { return .nothing }
        finishReplaced(isFollowedByInterim: false)
        progress.before = nil
        return .done
    }

    // MARK: By hand

    /// Processes an event in a held loop: at once, or next if a transition is in flight.
    func process(_ event: Event, _ origin: Origin) {
        guard progress.hold != nil else {
            return leavingTurn { send(event, policy: nil, origin: origin, run: nil) }
        }
        var entry = PendingEvent(event: event, policy: .queue, origin: origin)
        if isObserved { noteSending(&entry) }
        if machine.turn == nil { start(entry) } else { machine.insertNext(entry) }
    }

    /// Settles on a state without an event. The transition in flight is cancelled, and the feedbacks are asked.
    ///
    /// - Parameter prepare: Called before anything is shown.
    func settle(on state: ValueBox<State>, _ prepare: () -> Void) {
        prepare()
        // What follows is not what would have followed by itself.
        let isHeld = progress.hold != nil
        if !isHeld { probe?.note(.held(true)) }
        defer { if !isHeld { probe?.note(.held(false)) } }
        if let turn = machine.turn, case .finish(let turn, let ending) = machine.finish(turn, .replaced) {
            finish(turn, ending)
        }
        finishReplaced(isFollowedByInterim: true)
        let before = ownerState
        if observers.wantsNotices { observers.willChange.call((before, state)) }
        if ValueBox<State>.isInline { _ = inlineState.exchange(for: state) }
        store.show(StateChange(state, .committed))
        // Not as the commit of a turn, whose end does not follow.
        if !isOver { probe?.note(.shows(state, .reverted)) }
        if observers.wantsNotices { observers.didChange.call((before, state)) }
        (progress.before, progress.shown, progress.hasShownInterim) = (nil, [], false)
        if !isOver { effects?.ask(.state(state, after: nil), self) }
    }
}

extension LoopMachine.PendingEvent {
    /// Whether neither work has sent it, nor a turn of the loop, to whose cascade it would belong.
    fileprivate var isFromOutside: Bool { cascadeDepth == 0 && !isOfEffect }
}

extension LoopMachine.LoopAction {
    /// Whether it shows a state or ends a transition.
    fileprivate var isVisible: Bool {
        switch self {
        case .showInterim, .finish: true
        default: false
        }
    }
}

extension Inbox {
    fileprivate mutating func take() -> Inbox {
        defer { self = Inbox() }
        return self
    }
}
