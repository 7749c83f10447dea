internal import Promise

/// Everything that determines what a system does next, except for the captures of running work. An exploration compares
/// snapshots to recognise a configuration that it has visited before.
///
/// States and events are represented by numbers that the caller assigns.
@usableFromInline
package struct LoopSnapshot: Sendable {
    /// A pending event.
    @usableFromInline
    package struct Waiting: Sendable {
        @usableFromInline
        package enum Line: Int, Sendable { case replacing, behind, queue, debounced }

        package let event: Int
        package let line: Line
        /// The key of a debounced event; nil for others.
        package let key: EffectKey?
        /// The time left until the debounce timer fires; zero for events that are not debounced.
        package let left: Duration
        /// The number of the effect run that sent the event; nil if no effect did.
        package let run: Int?

        @usableFromInline
        init(event: Int, line: Line, key: EffectKey?, left: Duration, run: Int?) {
            (self.event, self.line, self.key, self.left, self.run) = (event, line, key, left, run)
        }
    }

    /// The work of one feedback under one key.
    @usableFromInline
    package struct Slot: Sendable {
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
        /// The occasions at which the pending requests were made; nil for a request that depends on its key alone.
        package let waiting: [Int?]
        /// The occasion of the debounced request, in the same form; empty if there is none.
        package let debounced: [Int?]
        /// The time left until the debounce timer fires; zero if none runs.
        package let debounceRemaining: Duration
        /// The time left in which the throttle drops new requests; zero if no window is open.
        package let window: Duration
    }

    package let settled: Int
    /// The loading state that is shown; nil if the settled state is.
    package let interim: Int?
    /// The number of the running turn; nil if none is running.
    package let turn: Int?
    package let waiting: [Waiting]
    /// The keys with an open throttle window for events, and the time left of each.
    package let windows: [(key: EffectKey, left: Duration)]
    package let slots: [Slot]

    @usableFromInline
    init(
        settled: Int, interim: Int?, turn: Int?, waiting: [Waiting],
        windows: [(key: EffectKey, left: Duration)], slots: [Slot]
    ) {
        (self.settled, self.interim, self.turn) = (settled, interim, turn)
        (self.waiting, self.windows, self.slots) = (waiting, windows, slots)
    }
}

extension System {
    /// A snapshot of the loop; nil while a thread drains it or messages are pending, and after the end.
    @inlinable
    package func position(
        numberingStates number: (State) -> Int, events numberOfEvent: (Event) -> Int
    ) -> LoopSnapshot? {
        guard loop.ownership.tryAcquire() else { return nil }
        defer { if !loop.ownership.release() { loop.begin() } }
        let contents = loop.store.contents.withLock { (settled: $0.settled, interim: $0.interim) }
        return LoopSnapshot(
            settled: number(contents.settled.value), interim: contents.interim.map { number($0.value) },
            turn: loop.machine.turn?.number,
            waiting: loop.hasPendingEvents
                ? loop.machine.waitingEvents(numberOfEvent, debounceRemaining: loop.debounceRemaining) : [],
            windows: loop.machine.rateLimiter.isEmpty ? [] : loop.machine.openWindows(at: loop.scheduler),
            slots: loop.effects?.slots(at: loop.scheduler) ?? [])
    }

    /// The numbers of the events whose policy is `queue`, by their indices.
    @inlinable
    package func numbersOfQueuedEvents(_ events: [Event], _ number: (Event) -> Int) -> [Int: Int] {
        var numbers: [Int: Int] = [:]
        for (place, event) in events.enumerated() {
            guard case .queue = loop.configuration.eventPolicy?.ask(event) ?? .queue else { continue }
            numbers[place] = number(event)
        }
        return numbers
    }

    /// The shown state, read directly under the lock; must not be called from inside a reducer.
    @inlinable package var currentShown: Shown<State> {
        loop.store.contents.withLock { $0.present }.notification.shown
    }

    /// The memories on which the decisions of the feedbacks depend, and which no ``LoopSnapshot`` contains.
    @usableFromInline package var feedbackMemories: [FeedbackMemory] { loop.effects?.memories ?? [] }
}

extension Loop {
    @inlinable var hasPendingEvents: Bool {
        !(machine.replacing.isEmpty && machine.behind.isEmpty && machine.waiting.isEmpty
            && machine.rateLimiter.isEmpty)
    }

    /// The time left until the debounce timer of a key fires; zero if none runs.
    @usableFromInline
    func debounceRemaining(_ key: EffectKey) -> Duration {
        progress.debounceTimers[key].map { max($0.end - scheduler.now, .zero) } ?? .zero
    }
}

extension LoopMachine {
    @inlinable
    func waitingEvents(
        _ number: (Event) -> Int, debounceRemaining: (EffectKey) -> Duration
    ) -> [LoopSnapshot.Waiting] {
        func item(_ entry: Entry, _ line: LoopSnapshot.Waiting.Line, _ key: EffectKey? = nil)
            -> LoopSnapshot.Waiting
        {
            .init(
                event: number(entry.event), line: line, key: key, left: key.map(debounceRemaining) ?? .zero,
                run: entry.run?.number)
        }
        return replacing.all.map { item($0, .replacing) } + behind.reversed().map { item($0, .behind) }
            + waiting.all.map { item($0, .queue) }
            + rateLimiter.debounced.map { item($0.entry, .debounced, $0.key) }
    }

    @usableFromInline
    func openWindows(at scheduler: any SerialScheduler) -> [(key: EffectKey, left: Duration)] {
        rateLimiter.openWindows(at: scheduler)
    }
}

extension RunningEffects {
    @usableFromInline
    final func slots(at scheduler: any SerialScheduler) -> [LoopSnapshot.Slot] {
        var slots: [LoopSnapshot.Slot] = []
        for feedback in registry.slots.indices where !registry.slots[feedback].isEmpty {
            registry.slots[feedback].forEach { key, slot in
                let name = EffectName(feedback: feedback, key: key)
                slots.append(
                    .init(name, paths[feedback] ?? [], slot, quietEnd: debounced[name]?.timer.end, scheduler))
            }
        }
        return slots
    }
}

extension LoopSnapshot.Slot {
    init(
        _ name: EffectName, _ path: [EffectKey], _ slot: EffectRegistry.Slot, quietEnd: Duration?,
        _ scheduler: any SerialScheduler
    ) {
        let (wait, now) = (slot.wait.first, scheduler.now)
        (feedback, self.path, key) = (name.feedback, path, name.key)
        revision = slot.revision.flatMap { $0.isCount ? nil : $0 }
        isAskedFor = slot.revision != nil
        (runs, ended) = (slot.runs.all.map { $0.number }, slot.ended.all.map { $0.number })
        waiting = wait?.requests.all.map { $0.request.isKnownByKey ? nil : $0.request.occasion } ?? []
        debounced = wait?.debounced.map { [$0.isKnownByKey ? nil : $0.occasion] } ?? []
        debounceRemaining = quietEnd.map { max($0 - now, .zero) } ?? .zero
        window = wait?.windowEnd.map { max($0 - now, .zero) } ?? .zero
    }
}
