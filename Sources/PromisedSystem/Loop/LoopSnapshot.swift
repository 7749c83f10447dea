package import Promise

/// Everything that determines what a loop does next, except for the captures of running work. An exploration compares
/// snapshots to recognise a configuration that it has visited before.
///
/// States and events are represented by the numbers that the observer assigns. ``LoopSnapshotTests`` compares the
/// stored properties of the loop with a list that says for each where it is found here, or why it is not.
@usableFromInline
package final class LoopSnapshot: Sendable {
    /// A pending event.
    @usableFromInline
    package struct QueuedEvent: Sendable {
        @usableFromInline
        package enum Line: Int, Sendable { case replacing, behind, queue, debounced }

        package let event: Int
        package let line: Line
        package let cascadeDepth: Int
        /// The number of the effect run that sent the event; nil if no effect did.
        package let run: Int?
        /// The key of a debounced event, and its timer; nil for others.
        package var key: EffectKey?
        package var timer: ScheduledWork?
        /// How long the window is that opens when a throttled event is processed; nil if none does.
        package var nextWindow: Duration?
        @usableFromInline package var traits: Traits

        @usableFromInline
        init(event: Int, line: Line, cascadeDepth: Int, run: Int?, traits: Traits) {
            (self.event, self.line, self.cascadeDepth) = (event, line, cascadeDepth)
            (self.run, self.traits) = (run, traits)
        }

        @usableFromInline
        package struct Traits: OptionSet, Sendable {
            @usableFromInline package let rawValue: Int

            @inlinable
            package init(rawValue: Int) { self.rawValue = rawValue }

            /// Others with its policy are dropped while it is enqueued.
            @inlinable package static var dropsOthers: Traits { Traits(rawValue: 1) }
            /// It is dropped when it is dequeued, because the handle that has sent it is over.
            @inlinable package static var isWithdrawn: Traits { Traits(rawValue: 2) }
            /// It is delayed, but processed before later events.
            @inlinable package static var keepsOrder: Traits { Traits(rawValue: 4) }
            /// A handle of a part has sent it, so it is dropped if that part is gone by then.
            @inlinable package static var isOfHandle: Traits { Traits(rawValue: 8) }
        }
    }

    /// The work of one feedback under one key.
    @usableFromInline
    package struct KeySlot: Sendable {
        /// The index of the feedback, or a number for the slots that those of its part share.
        package let feedback: Int
        /// The IDs of the elements for which the feedback works, outermost first.
        package let path: [EffectKey]
        package let key: EffectKey
        /// The revision of the current request; nil if there is no request, or if the revision is a mere count.
        package let revision: EffectKey?
        /// Whether the feedback currently requests work under this key.
        package let isAskedFor: Bool
        /// The numbers of the current runs, in the order in which they were started.
        package let runs: [Int]
        /// The numbers of the runs that have ended, but have pending events.
        package let ended: [Int]
        /// The occasions of the pending requests, each behind its feedback where several share the key.
        package let waiting: [Int]
        /// The occasion of the debounced request; empty if there is none.
        package let debounced: [Int]
        package let timer: ScheduledWork?
        /// How long the window is that opens when the request starts; nil if none does.
        package let nextWindow: Duration?
        /// When the open throttle window ends; nil if none is open.
        package let windowEnd: Duration?
        /// The feedback that has opened the window, where several share the key.
        package let windowOpener: Int?
    }

    /// The turn whose transition is in flight.
    @usableFromInline
    package struct TurnSnapshot: Sendable {
        package let cascadeDepth: Int
        /// The event as it was sent, if middleware has replaced it, and as each layer has passed it on.
        package let events: [Int]
        /// The timer of its time limit, if any.
        package let timers: [ScheduledWork]

        @usableFromInline
        init(cascadeDepth: Int, events: [Int], timers: [ScheduledWork]) {
            (self.cascadeDepth, self.events, self.timers) = (cascadeDepth, events, timers)
        }
    }

    package let settled: Int
    /// The loading state that is shown; nil if the settled state is.
    package let interim: Int?
    package let turn: TurnSnapshot?
    package let waiting: [QueuedEvent]
    /// The keys with an open throttle window for events, and the end of each.
    package let windows: [(key: EffectKey, end: Duration)]
    package let slots: [KeySlot]

    @usableFromInline
    init(
        settled: Int, interim: Int?, turn: TurnSnapshot?, waiting: [QueuedEvent],
        windows: [(key: EffectKey, end: Duration)], slots: [KeySlot]
    ) {
        (self.settled, self.interim, self.turn) = (settled, interim, turn)
        (self.waiting, self.windows, self.slots) = (waiting, windows, slots)
    }
}

extension LoopMachine {
    /// Whether no event waits.
    @inlinable var isEmpty: Bool {
        waiting.isEmpty && behind.isEmpty && behindTurn.isEmpty && replacing.isEmpty && rateLimiter.isEmpty
    }
}

extension Loop {
    package var types: (state: Any.Type, event: Any.Type) { (State.self, Event.self) }

    package var isControlled: Bool { ownership.isHeld || store.isOverridden }

    package var snapshot: LoopSnapshot? { snapshot(settled: nil) }

    /// - Parameter settled: The number of the settled state, if it is known.
    @inlinable
    func snapshot(settled: Int?) -> LoopSnapshot? {
        guard let numbers = probe?.numbers, ownership.tryAcquire() else { return nil }
        defer { if !ownership.release() { begin() } }
        let interim = store.contents.withLock { $0.interim?.shared }
        return LoopSnapshot(
            settled: settled ?? numbers.state(store.ownerState.value),
            interim: interim.map { numbers.state($0.value) },
            turn: machine.turn.map { snapshot(of: $0, numbers) },
            waiting: machine.isEmpty ? [] : waitingEvents(numbers),
            windows: machine.rateLimiter.isEmpty ? [] : machine.rateLimiter.openWindows(at: now),
            slots: effects?.slots(at: now) ?? [])
    }

    /// Whether nothing is running or pending, and nothing but the settled state determines what the loop does next.
    @inlinable var isResting: Bool {
        guard effects == nil, middleware.layers.isEmpty, !store.keepsHistory, ownership.tryAcquire() else {
            return false
        }
        defer { if !ownership.release() { begin() } }
        return isIdle && machine.turn == nil && machine.isEmpty
            && store.contents.withLock { $0.interim == nil && !$0.isOverridden }
    }

    package var history: [Int] {
        guard let numbers = probe?.numbers else { return [] }
        return store.contents.withLock { $0.history }.map(numbers.state)
    }

    @usableFromInline typealias Numbering = LoopProbe<State, Event>.Numbering

    @inlinable
    func snapshot(of turn: Machine.Turn, _ numbers: Numbering) -> LoopSnapshot.TurnSnapshot {
        let events = (progress.sent.map { [$0] } ?? []) + progress.passed
        return .init(
            cascadeDepth: followsTurn ? turn.cascadeDepth : 0,
            events: events.map(numbers.event), timers: work.withLock { $0.timers })
    }

    @inlinable
    func waitingEvents(_ numbers: Numbering) -> [LoopSnapshot.QueuedEvent] {
        var all: [LoopSnapshot.QueuedEvent] = []
        for entry in machine.replacing.all { all.append(item(entry, .replacing, numbers)) }
        for entry in machine.behindTurn { all.append(item(entry, .behind, numbers)) }
        for entry in machine.behind.reversed() { all.append(item(entry, .behind, numbers)) }
        for entry in machine.waiting.all {
            var item = item(entry, .queue, numbers)
            if case .dropWhileBusy = entry.policy { item.traits.insert(.dropsOthers) }
            all.append(item)
        }
        return machine.rateLimiter.isEmpty ? all : all + delayedEvents(numbers)
    }

    @inlinable
    func item(
        _ entry: PendingEvent, _ line: LoopSnapshot.QueuedEvent.Line, _ numbers: Numbering
    ) -> LoopSnapshot.QueuedEvent {
        var traits: LoopSnapshot.QueuedEvent.Traits = []
        if let run = entry.run, !run.isOfEffect { traits = run.isCancelled ? .isWithdrawn : .isOfHandle }
        return .init(
            event: numbers.event(entry.event), line: line, cascadeDepth: entry.cascadeDepth,
            run: entry.run.flatMap { $0.isOfEffect ? $0.number : nil }, traits: traits)
    }

    @usableFromInline
    func delayedEvents(_ numbers: Numbering) -> [LoopSnapshot.QueuedEvent] {
        machine.rateLimiter.all.map { key, entry, _ in
            var item = item(entry, .debounced, numbers)
            (item.key, item.timer) = (key, progress.delayTimers[key]?.work)
            item.nextWindow = entry.policy.rateLimit?.nextWindow
            if entry.isOrdered { item.traits.insert(.keepsOrder) }
            return item
        }
    }
}

extension SmallArray where Element: AnyObject {
    /// Whether an element that satisfies the predicate is referenced from elsewhere.
    fileprivate mutating func hasReferenced(_ predicate: (Element) -> Bool) -> Bool {
        let isCandidate = all.map(predicate)
        guard let isFirst = isCandidate.first else { return false }
        if isFirst, !isKnownUniquelyReferenced(&first) { return true }
        return rest.indices.contains { isCandidate[$0 + 1] && !isKnownUniquelyReferenced(&rest[$0]) }
    }
}

extension Loop {
    package func originsOfHeldRuns(except isExplained: (Int) -> Bool) -> [Origin] {
        effects?.originsOfHeldRuns(except: isExplained) ?? []
    }
}

extension RunningEffects {
    @usableFromInline
    final func slots(at now: Duration) -> [LoopSnapshot.KeySlot] {
        var slots: [LoopSnapshot.KeySlot] = []
        for feedback in registry.slots.indices where !registry.slots[feedback].isEmpty {
            registry.slots[feedback].forEach { key, slot in
                let name = EffectName(feedback: feedback, key: key)
                let wait = slot.wait.first
                slots.append(
                    .init(
                        feedback: bases[feedback], path: paths[feedback] ?? [], key: key,
                        revision: slot.revision.flatMap { $0.isCount ? nil : $0 },
                        isAskedFor: slot.revision != nil, runs: slot.runs.all.map { $0.number },
                        ended: slot.ended.all.map { $0.number },
                        waiting: wait?.requests.all.flatMap { words(of: $0.request) } ?? [],
                        debounced: wait?.limiter.waiting.map { words(of: $0.value) } ?? [],
                        timer: debounced[name]?.timer.work,
                        nextWindow: wait?.limiter.waiting?.limit.nextWindow,
                        windowEnd: wait?.limiter.windowEnd.flatMap { $0 > now ? $0 : nil },
                        windowOpener: wait?.windowOpener.map { bases[$0] }))
            }
        }
        return slots
    }

    private func words(of request: EffectPlan) -> [Int] {
        (request.requester.map { [bases[$0]] } ?? []) + [request.occasion ?? 0]
    }

    /// Where the feedbacks were created of which a run is referenced from elsewhere, so that it may still act, other
    /// than by a broadcast.
    fileprivate final func originsOfHeldRuns(except isExplained: (Int) -> Bool) -> [Origin] {
        var held: [Origin] = []
        for feedback in registry.slots.indices {
            for key in registry.slots[feedback].keys {
                registry.slots[feedback].change(key) { slot in
                    if slot.runs.hasReferenced({ !$0.awaitsBroadcasts && !isExplained($0.number) }) {
                        held.append(origin(of: slot.runs.first?.requester ?? feedback))
                    }
                    return false
                }
            }
        }
        return held
    }
}
