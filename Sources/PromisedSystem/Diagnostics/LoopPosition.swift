internal import Promise

/// Everything that decides what a system does next, but for what is inside the closures of work that has begun: for an
/// exploration, which tells two moments of a system apart by it.
package struct LoopPosition<State: Sendable, Event: Sendable> {
    /// An event that has not had its turn.
    package struct Waiting {
        package enum Line: Int { case replacing, behind, queue, untilQuiet }

        package let event: Event
        package let line: Line
        /// Of what waits until there is quiet.
        package let key: EffectKey?
        /// The number of the run that has sent it.
        package let run: Int?
    }

    /// What is kept under a key of a feedback.
    package struct Slot {
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
        package let untilQuiet: [Int?]
        /// For how long new work is turned away.
        package let window: Duration
    }

    package let settled: State
    package let interim: State?
    package let turn: Int?
    package let waiting: [Waiting]
    /// For how long events of a key are turned away.
    package let windows: [(key: EffectKey, left: Duration)]
    package let slots: [Slot]
}

extension System {
    /// Where the system stands; nil while somebody is making it go on.
    package var position: LoopPosition<State, Event>? {
        guard loop.gate.enter() else { return nil }
        defer { if !loop.gate.leave() { loop.begin() } }
        let scene = loop.stage.scene.withLock { (settled: $0.settled, interim: $0.interim) }
        let now = loop.scheduler.now
        return LoopPosition(
            settled: scene.settled, interim: scene.interim, turn: loop.machine.turn?.number,
            waiting: loop.machine.waitingEvents, windows: loop.machine.windows(at: now),
            slots: loop.effects?.slots(at: now) ?? [])
    }

    /// Has somebody told of the work that feedbacks begin. To be called before the system has done anything.
    package func watchEffects(_ watcher: any EffectWatcher) { loop.effects?.watcher = watcher }

    /// What the answers of the feedbacks depend on that is in no ``LoopPosition``.
    package var feedbackMemories: [FeedbackMemory] { loop.effects?.memories ?? [] }
}

extension LoopMachine {
    fileprivate typealias Waiting = LoopPosition<State, Event>.Waiting

    fileprivate var waitingEvents: [Waiting] {
        func waiting(_ entry: Entry, _ line: Waiting.Line, _ key: EffectKey? = nil) -> Waiting {
            Waiting(event: entry.event, line: line, key: key, run: entry.run?.number)
        }
        return replacing.all.map { waiting($0, .replacing) } + behind.reversed().map { waiting($0, .behind) }
            + self.waiting.all.map { waiting($0, .queue) }
            + timing.untilQuiet.map { waiting($0.entry, .untilQuiet, $0.key) }
    }

    fileprivate func windows(at now: Duration) -> [(key: EffectKey, left: Duration)] {
        timing.openWindows(at: now)
    }
}

extension RunningEffects {
    fileprivate func slots(at now: Duration) -> [LoopPosition<State, Event>.Slot] {
        var slots: [LoopPosition<State, Event>.Slot] = []
        for feedback in registry.slots.indices {
            for (key, slot) in registry.slots[feedback].pairs {
                let wait = slot.wait.first
                let isOpen = wait?.windowEnd.map { $0 > now } ?? false
                slots.append(
                    .init(
                        feedback: feedback, path: paths[feedback] ?? [], key: key,
                        revision: slot.revision.flatMap { $0.isCount ? nil : $0 },
                        isAskedFor: slot.revision != nil, runs: slot.runs.all.map(\.number),
                        ended: slot.ended.all.map(\.number),
                        waiting: wait?.requests.all.map(\.knownOccasion) ?? [],
                        untilQuiet: wait?.quiet.map { [$0.knownOccasion] } ?? [],
                        window: isOpen ? (wait?.windowEnd ?? now) - now : .zero))
            }
        }
        return slots
    }
}

extension EffectRequest {
    fileprivate var knownOccasion: Int? { isKnownByKey ? nil : occasion }
}
