internal import Promise

/// Everything that decides what a system does next, but for what is inside the closures of work that has begun: for an
/// exploration, which tells two moments of a system apart by it.
///
/// States and events are numbers, which whoever asks gives to them.
@usableFromInline
package struct LoopSnapshot: Sendable {
    /// An event that has not had its turn.
    @usableFromInline
    package struct Waiting: Sendable {
        @usableFromInline
        package enum Line: Int, Sendable { case replacing, behind, queue, debounced }

        package let event: Int
        package let line: Line
        /// Of what waits until there is quiet.
        package let key: EffectKey?
        /// For how long there has to be quiet yet.
        package let left: Duration
        /// The number of the run that has sent it.
        package let run: Int?

        @usableFromInline
        init(event: Int, line: Line, key: EffectKey?, left: Duration, run: Int?) {
            (self.event, self.line, self.key, self.left, self.run) = (event, line, key, left, run)
        }
    }

    /// What is kept under a key of a feedback.
    @usableFromInline
    package struct Slot: Sendable {
        package let feedback: Int
        /// The elements that the feedback works for, outermost first.
        package let path: [EffectKey]
        package let key: EffectKey
        /// nil where nobody asks, or where it says nothing.
        package let revision: EffectKey?
        package let isAskedFor: Bool
        /// Numbers of runs, in the order of their beginning.
        package let runs: [Int]
        /// Those that are over, and of whose events some wait.
        package let ended: [Int]
        /// The occasions at which was asked for what waits; nil where the key says it all.
        package let waiting: [Int?]
        package let debounced: [Int?]
        /// For how long there has to be quiet yet.
        package let debounceRemaining: Duration
        /// For how long new work is turned away.
        package let window: Duration
    }

    package let settled: Int
    /// A loading state that is shown.
    package let interim: Int?
    /// The number of the turn that is running.
    package let turn: Int?
    package let waiting: [Waiting]
    /// For how long events of a key are turned away.
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
    /// Where the system stands; nil while somebody is making it go on.
    @inlinable
    package func position(
        numberingStates number: (State) -> Int, events numberOfEvent: (Event) -> Int
    ) -> LoopSnapshot? {
        guard loop.ownership.enter() else { return nil }
        defer { if !loop.ownership.leave() { loop.begin() } }
        let contents = loop.store.contents.withLock { (settled: $0.settled, interim: $0.interim) }
        return LoopSnapshot(
            settled: number(contents.settled.value), interim: contents.interim.map { number($0.value) },
            turn: loop.machine.turn?.number,
            waiting: loop.hasEventsWaiting
                ? loop.machine.waitingEvents(numberOfEvent, debounceRemaining: loop.debounceRemaining) : [],
            windows: loop.machine.rateLimiter.isEmpty ? [] : loop.machine.openWindows(at: loop.scheduler),
            slots: loop.effects?.slots(at: loop.scheduler) ?? [])
    }

    /// By their places, the numbers of those events that wait for their turns when they arrive.
    @inlinable
    package func numbersOfQueuedEvents(_ events: [Event], _ number: (Event) -> Int) -> [Int: Int] {
        var numbers: [Int: Int] = [:]
        for (place, event) in events.enumerated() {
            guard case .queue = loop.configuration.eventPolicy?.ask(event) ?? .queue else { continue }
            numbers[place] = number(event)
        }
        return numbers
    }

    /// What is shown, without more ado.
    @inlinable package var currentShown: Shown<State> {
        loop.store.contents.withLock { $0.present }.notification.shown
    }

    /// What the answers of the feedbacks depend on that is in no ``LoopSnapshot``.
    @inlinable package var feedbackMemories: [FeedbackMemory] { loop.effects?.memories ?? [] }
}

extension Loop {
    @inlinable var hasEventsWaiting: Bool {
        !(machine.replacing.isEmpty && machine.behind.isEmpty && machine.waiting.isEmpty
            && machine.rateLimiter.isEmpty)
    }

    /// For how long there has to be quiet around a key yet.
    @usableFromInline
    func debounceRemaining(_ key: EffectKey) -> Duration {
        progress.quiet[key].map { max($0.end - scheduler.now, .zero) } ?? .zero
    }
}

extension LoopMachine {
    @inlinable
    func waitingEvents(
        _ number: (Event) -> Int, debounceRemaining: (EffectKey) -> Duration
    ) -> [LoopSnapshot.Waiting] {
        func waits(_ entry: Entry, _ line: LoopSnapshot.Waiting.Line, _ key: EffectKey? = nil)
            -> LoopSnapshot.Waiting
        {
            .init(
                event: number(entry.event), line: line, key: key, left: key.map(debounceRemaining) ?? .zero,
                run: entry.run?.number)
        }
        return replacing.all.map { waits($0, .replacing) } + behind.reversed().map { waits($0, .behind) }
            + waiting.all.map { waits($0, .queue) }
            + rateLimiter.debounced.map { waits($0.entry, .debounced, $0.key) }
    }

    @usableFromInline
    func openWindows(at scheduler: any SerialScheduler) -> [(key: EffectKey, left: Duration)] {
        rateLimiter.openWindows(at: scheduler)
    }
}

extension RunningEffects {
    @inlinable
    func slots(at scheduler: any SerialScheduler) -> [LoopSnapshot.Slot] {
        var slots: [LoopSnapshot.Slot] = []
        for feedback in registry.slots.indices where !registry.slots[feedback].isEmpty {
            registry.slots[feedback].forEach { key, slot in
                let name = EffectName(feedback: feedback, key: key)
                slots.append(
                    .init(name, paths[feedback] ?? [], slot, quietEnd: quiet[name]?.timer.end, scheduler))
            }
        }
        return slots
    }
}

extension LoopSnapshot.Slot {
    @inlinable
    init<Event>(
        _ name: EffectName, _ path: [EffectKey], _ slot: EffectRegistry<Event>.Slot, quietEnd: Duration?,
        _ scheduler: any SerialScheduler
    ) {
        let wait = slot.wait.first
        self.init(
            feedback: name.feedback, path: path, key: name.key, revision: slot.revision,
            runs: slot.runs.all.map { $0.number }, ended: slot.ended.all.map { $0.number },
            waiting: wait?.requests.all.map { $0.request.isKnownByKey ? nil : $0.request.occasion } ?? [],
            debounced: wait?.quiet.map { [$0.isKnownByKey ? nil : $0.occasion] } ?? [],
            quietEnd: quietEnd, windowEnd: wait?.windowEnd, scheduler)
    }

    @usableFromInline
    init(
        feedback: Int, path: [EffectKey], key: EffectKey, revision: EffectKey?, runs: [Int], ended: [Int],
        waiting: [Int?], debounced: [Int?], quietEnd: Duration?, windowEnd: Duration?,
        _ scheduler: any SerialScheduler
    ) {
        (self.feedback, self.path, self.key) = (feedback, path, key)
        self.revision = revision.flatMap { $0.isCount ? nil : $0 }
        isAskedFor = revision != nil
        (self.runs, self.ended, self.waiting, self.debounced) = (runs, ended, waiting, debounced)
        let now = scheduler.now
        debounceRemaining = quietEnd.map { max($0 - now, .zero) } ?? .zero
        window = windowEnd.map { max($0 - now, .zero) } ?? .zero
    }
}
