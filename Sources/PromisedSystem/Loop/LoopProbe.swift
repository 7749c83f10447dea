package import Promise
internal import Synchronization

/// The untyped half of a loop's observer; called by the owner of the loop.
@usableFromInline
package protocol SystemObserver: WorkProbe {
    /// The scheduler that the transition of the running turn uses.
    var transitionScheduler: any SerialScheduler { get }
    /// Makes a probe with this observer, for a system of any state and event.
    func makeProbe<State: Sendable, Event: Sendable>() -> LoopProbe<State, Event>
    /// Called when an event is sent that is none of the system, such as that of a model.
    func posts(_ event: any Sendable, from sender: EventPlace, by cause: WriteCause)
    /// Called before a run of an effect is started that no feedback has requested.
    func begins(by cause: WriteCause)
}

/// A model that sends an event: its name and place, and who receives it, as bits.
@usableFromInline
package struct EventPlace: Sendable {
    package let model: String, place: String, receivers: Int

    package init(model: String, place: String, receivers: Int) {
        (self.model, self.place, self.receivers) = (model, place, receivers)
    }
}

extension SystemObserver {
    @usableFromInline
    package func posts(_ event: any Sendable, from sender: EventPlace, by cause: WriteCause) {}
    @usableFromInline
    package func begins(by cause: WriteCause) {}
}

/// Observes one loop: an exploration or a recording. A loop has at most one.
///
/// Unchecked because of its variables: only an exploration, which has one thread, replaces an observer, and the numbers
/// of events are counted by the owner of the loop.
@usableFromInline
package final class LoopProbe<State: Sendable, Event: Sendable>: @unchecked Sendable {
    /// Represents the states and the events by numbers.
    @usableFromInline
    package struct Numbering: Sendable {
        @usableFromInline package let state: @Sendable (State) -> Int
        @usableFromInline package let event: @Sendable (Event) -> Int

        @usableFromInline
        package init(state: @escaping @Sendable (State) -> Int, event: @escaping @Sendable (Event) -> Int) {
            (self.state, self.event) = (state, event)
        }
    }

    @exclusivity(unchecked) @usableFromInline private(set) var observer: any SystemObserver
    /// Set by an exploration, which is notified of reads and of problems that are otherwise reported.
    @exclusivity(unchecked) @usableFromInline private(set) var numbers: Numbering?
    /// Must not wait for another thread.
    @exclusivity(unchecked) @usableFromInline
    private(set) var note: @Sendable (consuming LoopFact<State, Event>) -> Void
    @exclusivity(unchecked) @usableFromInline var lastSent: UInt32 = 0

    @usableFromInline
    package init(
        _ observer: any SystemObserver, numbers: Numbering? = nil,
        note: @escaping @Sendable (consuming LoopFact<State, Event>) -> Void
    ) {
        (self.observer, self.numbers, self.note) = (observer, numbers, note)
    }

    /// Replaces the observer by that of another probe.
    fileprivate func follow(_ other: LoopProbe) {
        (observer, numbers, note) = (other.observer, other.numbers, other.note)
    }
}

/// A system of any state and event, as its observer sees it.
package protocol ExploredSystem: AnyObject, Sendable {
    /// Lets `observer` observe the system, unless it is observed already. Must be called before the system has
    /// processed anything, while no other thread uses it.
    func observe(by observer: any SystemObserver)
    /// The same at any time, from any thread.
    ///
    /// - Parameter makeObserver: Called by the owner of the loop, with the types of the states and of the events, and
    ///   with the scheduler.
    func attach(
        _ makeObserver: @escaping @Sendable (Any.Type, Any.Type, any SerialScheduler) -> any SystemObserver)
    /// A snapshot of the loop; nil while a thread drains it or messages are pending, and after the end.
    var snapshot: LoopSnapshot? { get }
    /// The states that are kept, by their numbers.
    var history: [Int] { get }
    /// The types of the states and of the events.
    var types: (state: Any.Type, event: Any.Type) { get }
    /// Whether time travel holds the system, or shows another state than the present one: then a snapshot does not tell
    /// what happens next.
    var isControlled: Bool { get }
    /// Where the feedbacks were created that have a run which something else than the system can let act.
    ///
    /// - Parameter isExplained: Whether it is known what a run waits for, by its number.
    func originsOfHeldRuns(except isExplained: (Int) -> Bool) -> [Origin]
    /// The running and pending work; empty while a thread drains the loop, or messages are pending.
    var running: [Running] { get }
}

/// A scheduler that is informed of the systems on it.
package protocol SystemHost: SerialScheduler {
    /// - Returns: Whether the system is explored, and so not recorded.
    func created(_ system: any ExploredSystem) -> Bool
}

extension Loop: ExploredSystem {
    package func observe(by observer: any SystemObserver) {
        if probe == nil { observe(by: observer.makeProbe()) }
    }

    package func attach(
        _ makeObserver: @escaping @Sendable (Any.Type, Any.Type, any SerialScheduler) -> any SystemObserver
    ) {
        receive(
            .perform { [self] in
                if probe == nil { observe(by: makeObserver(State.self, Event.self, scheduler).makeProbe()) }
            })
    }

    /// For the owner, or before there is one. Replaces the observer of an exploration.
    @usableFromInline
    func observe(by probe: LoopProbe<State, Event>) {
        if let known = self.probe {
            known.follow(probe)
        } else {
            self.probe = sharedProbe.storeIfNil(probe)
            // Counts as an observer, so that a turn has only one thing to check.
            observers.counter.add(Counter.probe)
            machine.isObserved = true
        }
        effects?.probe = probe.observer
        if probe.numbers != nil { observeReads(probe.note) }
        probe.note(.attached(ownerState, turn: machine.lastNumber))
    }

    private func observeReads(_ note: @escaping @Sendable (consuming LoopFact<State, Event>) -> Void) {
        store.observeReads { [weak store] isOfHistory in
            guard let store else { return }
            let (settled, interim, history) = store.contents.withLock { contents in
                (contents.settled.shared, contents.interim?.shared, isOfHistory ? contents.history : nil)
            }
            note(.read(settled: settled, interim: interim, history))
        }
    }

    /// The time of an event that is sent now, while the loop is observed. It is noted at once if the owner sends it and
    /// has handled all that arrived before, and always if middleware sends it, as that may have it processed next.
    @inlinable
    func noteSending(_ entry: inout PendingEvent) {
        entry.sent = SendMark(at: now)
        if isOwner, progress.isInMiddleware || machine.arrived.isEmpty { noteArrival(&entry) }
    }

    /// For the owner: notes an event that has arrived, and numbers it.
    @inlinable
    func noteArrival(_ entry: inout PendingEvent) {
        guard let probe else { return }
        probe.lastSent = probe.lastSent == .max ? 1 : probe.lastSent &+ 1
        entry.sent = SendMark(at: entry.sent?.at ?? now, number: probe.lastSent)
        let sender: EventSender =
            if let run = entry.run { run.isOfEffect ? .run(run.number) : .handle } else {
                progress.isInMiddleware ? .middleware : .outside
            }
        probe.note(.sent(entry, by: sender, followsTurn: followsTurn))
    }
}

extension System {
    /// Attaches a probe to the loop, in place of another. Must be called before the system has processed anything,
    /// while no other thread uses it.
    @usableFromInline
    package func observe(by probe: LoopProbe<State, Event>) { loop.observe(by: probe) }

    /// Attaches a probe to the loop, unless it has one: at any time, from any thread.
    ///
    /// - Parameter makeProbe: Called by the owner of the loop with its scheduler, if the loop has no probe.
    @usableFromInline
    package func attach(_ makeProbe: @escaping @Sendable (any SerialScheduler) -> LoopProbe<State, Event>) {
        loop.receive(
            .perform { [loop] in if loop.probe == nil { loop.observe(by: makeProbe(loop.scheduler)) } })
    }

    /// The policy that the configuration gives an event; nil if it decides on none.
    @inlinable
    package func policy(of event: Event) -> EventPolicy? { loop.eventPolicy?(event) }

    package var explored: any ExploredSystem { loop }

    /// Whether this is the system's scheduler.
    @usableFromInline
    package func isOn(_ scheduler: some SerialScheduler) -> Bool { loop.scheduler === scheduler }
}
