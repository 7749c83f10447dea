package import Promise

/// Everything that determines what a loop does next, except for the captures of running work. An exploration compares
/// snapshots to recognise a configuration that it has visited before.
///
/// States and events are represented by the numbers that the observer assigns. ``LoopSnapshotTests`` compares the
/// stored properties of the loop with a list that says for each where it is found here, or why it is not.
package struct LoopSnapshot: Sendable {
    /// A pending event.
    package struct QueuedEvent: Sendable {
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
        package var traits: Traits

        package struct Traits: OptionSet, Sendable {
            package let rawValue: Int

            package init(rawValue: Int) { self.rawValue = rawValue }

            /// Others with its policy are dropped while it is enqueued.
            package static let dropsOthers = Traits(rawValue: 1)
            /// It is dropped when it is dequeued, because the handle that has sent it is over.
            package static let isWithdrawn = Traits(rawValue: 2)
            /// It is delayed, but processed before later events.
            package static let keepsOrder = Traits(rawValue: 4)
            /// A handle of a part has sent it, so it is dropped if that part is gone by then.
            package static let isOfHandle = Traits(rawValue: 8)
        }
    }

    /// The work of one feedback under one key.
    package struct KeySlot: Sendable {
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
    package struct TurnSnapshot: Sendable {
        package let cascadeDepth: Int
        /// The event as it was sent, if middleware has replaced it, and as each layer has passed it on.
        package let events: [Int]
        /// The timer of its time limit, if any.
        package let timers: [ScheduledWork]
    }

    package let settled: Int
    /// The loading state that is shown; nil if the settled state is.
    package let interim: Int?
    package let turn: TurnSnapshot?
    package let waiting: [QueuedEvent]
    /// The keys with an open throttle window for events, and the end of each.
    package let windows: [(key: EffectKey, end: Duration)]
    package let slots: [KeySlot]
    package let hasMiddleware: Bool
    /// Returns the states that are kept; evaluated only where they are read.
    package let history: @Sendable () -> [Int]
}

extension LoopMachine {
    /// Whether no event waits.
    fileprivate var isEmpty: Bool {
        waiting.isEmpty && behind.isEmpty && behindTurn.isEmpty && replacing.isEmpty && rateLimiter.isEmpty
    }
}

extension Loop {
    package var snapshot: LoopSnapshot? {
        guard let numbers = probe?.numbers, ownership.tryAcquire() else { return nil }
        defer { if !ownership.release() { begin() } }
        let contents = store.contents.withLock { (settled: $0.settled, interim: $0.interim) }
        return LoopSnapshot(
            settled: numbers.state(contents.settled.value),
            interim: contents.interim.map { numbers.state($0.value) },
            turn: machine.turn.map { snapshot(of: $0, numbers) },
            waiting: machine.isEmpty ? [] : waitingEvents(numbers),
            windows: machine.rateLimiter.isEmpty ? [] : machine.rateLimiter.openWindows(at: now),
            slots: effects?.slots(at: now) ?? [],
            hasMiddleware: !middleware.layers.isEmpty,
            history: { [store] in store.contents.withLock { $0.history }.map(numbers.state) })
    }

    private typealias Numbering = LoopProbe<State, Event>.Numbering

    private func snapshot(of turn: Machine.Turn, _ numbers: Numbering) -> LoopSnapshot.TurnSnapshot {
        let events = (progress.sent.map { [$0] } ?? []) + progress.passed
        return .init(
            cascadeDepth: progress.idleCount == progress.idleCountAtStart ? turn.cascadeDepth : 0,
            events: events.map(numbers.event), timers: work.withLock { $0.timers })
    }

    private func waitingEvents(_ numbers: Numbering) -> [LoopSnapshot.QueuedEvent] {
        func item(_ entry: PendingEvent, _ line: LoopSnapshot.QueuedEvent.Line) -> LoopSnapshot.QueuedEvent {
            .init(
                event: numbers.event(entry.event), line: line, cascadeDepth: entry.cascadeDepth,
                run: entry.isOfEffect ? entry.run?.number : nil, traits: traits(of: entry))
        }
        func traits(of entry: PendingEvent) -> LoopSnapshot.QueuedEvent.Traits {
            guard entry.run?.isOfEffect == false else { return [] }
            return entry.isWithdrawn ? .isWithdrawn : .isOfHandle
        }
        return machine.replacing.all.map { item($0, .replacing) }
            + (machine.behindTurn + machine.behind.reversed()).map { item($0, .behind) }
            + machine.waiting.all.map { entry in
                var item = item(entry, .queue)
                if entry.policy == .dropWhileBusy { item.traits.insert(.dropsOthers) }
                return item
            }
            + machine.rateLimiter.all.map { key, entry, _ in
                var item = item(entry, .debounced)
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

extension System {
    /// The shown state, read directly under the lock; must not be called from inside a reducer.
    @inlinable package var currentShown: Shown<State> {
        loop.store.contents.withLock { $0.present }.notification.shown
    }

    /// Whether nothing that the system consists of remembers more than the settled state, once it is at rest.
    /// Subscribers and observers may be added later.
    @usableFromInline
    package var remembersOnlyState: Bool {
        loop.effects == nil && loop.middleware.layers.isEmpty && !loop.store.keepsHistory
            && loop.observers.isEmpty
            && loop.store.contents.withLock { $0.subscribers.isEmpty }
    }

    /// Brings a system at rest that ``remembersOnlyState`` to a state, without a notification.
    @usableFromInline
    package func restore(_ state: State) {
        let box = ValueBox(state)
        if ValueBox<State>.isInline { _ = loop.inlineState.exchange(for: box.shared) }
        loop.store.show(StateChange(box, .committed))
    }

    /// The memories on which the decisions of the feedbacks depend, and which no ``LoopSnapshot`` contains.
    package var feedbackMemories: [FeedbackMemory] { loop.effects?.memories ?? [] }

    /// Where the feedbacks were created.
    package var feedbackOrigins: [Origin] { loop.effects?.origins ?? [] }

    /// The policy of an event that is sent without one.
    @inlinable
    package func policy(of event: Event) -> EventPolicy { loop.eventPolicy?(event) ?? .queue }
}

extension RunningEffects {
    fileprivate final func slots(at now: Duration) -> [LoopSnapshot.KeySlot] {
        var slots: [LoopSnapshot.KeySlot] = []
        for feedback in registry.slots.indices where !registry.slots[feedback].isEmpty {
            registry.slots[feedback].forEach { key, slot in
                let name = EffectName(feedback: feedback, key: key)
                let wait = slot.wait.first
                slots.append(
                    .init(
                        feedback: feedback, path: paths[feedback] ?? [], key: key,
                        revision: slot.revision.flatMap { $0.isCount ? nil : $0 },
                        isAskedFor: slot.revision != nil, runs: slot.runs.all.map { $0.number },
                        ended: slot.ended.all.map { $0.number },
                        waiting: wait?.requests.all.flatMap { Self.words(of: $0.request) } ?? [],
                        debounced: wait?.limiter.waiting.map { Self.words(of: $0.value) } ?? [],
                        timer: debounced[name]?.timer.work,
                        nextWindow: wait?.limiter.waiting?.limit.nextWindow,
                        windowEnd: wait?.limiter.windowEnd.flatMap { $0 > now ? $0 : nil },
                        windowOpener: wait?.windowOpener))
            }
        }
        return slots
    }

    private static func words(of request: EffectPlan) -> [Int] {
        (request.requester.map { [$0] } ?? []) + [request.occasion ?? 0]
    }

    /// Where the feedbacks were created of which a run is referenced from elsewhere, so that it may still act, other
    /// than by a broadcast.
    fileprivate final func originsOfHeldRuns(except isExplained: (Int) -> Bool) -> [Origin] {
        var held: [Origin] = []
        for feedback in registry.slots.indices {
            for key in registry.slots[feedback].keys {
                registry.slots[feedback].change(key) { slot in
                    if slot.runs.hasReferenced({ !$0.awaitsBroadcasts && !isExplained($0.number) }) {
                        held.append(origins[slot.runs.first?.requester ?? feedback])
                    }
                    return false
                }
            }
        }
        return held
    }
}
