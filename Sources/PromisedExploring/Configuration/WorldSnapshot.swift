internal import PromisedSystem
internal import PromisedTesting

/// The contents of a world and its systems between two steps.
final class WorldSnapshot {
    /// The systems, the explored one first; the snapshot is nil after the end of a system.
    ///
    /// Empty if ``rest`` is not nil.
    let systems: [(system: any ExploredSystem, snapshot: LoopSnapshot?, record: SystemRecord)]
    /// The number of the settled state of the only system, if nothing is running and nothing else is remembered there.
    let rest: Int?
    let now: Duration
    let timers: [TestScheduler.PendingTimer]
    let hasAsyncWork: Bool
    let calls: [WorldCall]
    let variables: [WorldCore.Variable]
    /// The number of actions.
    let actions: Int
    /// The time until the next timer fires, a throttle window closes or a property has to be fulfilled; nil if nothing
    /// is due.
    let due: Duration?

    init(of world: WorldCore, _ driver: ExplorationRun.Driver) {
        rest = driver.isResting() ? world.record.stateOfOnlySystem : nil
        let records = rest == nil ? world.record.systems : []
        systems = records.map { system, record in
            if system.isControlled {
                record.path.findings.noteOutside(
                    "a system was stopped, or has shown another state, by time travel")
            }
            return (system, record.isExplored ? driver.snapshot(record.knownState) : system.snapshot, record)
        }
        let (now, timers, hasAsyncWork) = world.scheduler.clock
        (self.now, self.timers, self.hasAsyncWork) = (now, timers, hasAsyncWork)
        (calls, variables, actions) = world.contents
        var end = world.monitors.deadline
        for case (_, let snapshot?, _) in systems {
            for window in snapshot.windows { end = min(end ?? window.end, window.end) }
            for case let next? in snapshot.slots.lazy.map(\.windowEnd) { end = min(end ?? next, next) }
        }
        let left = timers.first?.left
        due = end.map { min(left ?? $0 - now, $0 - now) } ?? left
    }

    /// Whether only an event can change something.
    var isRest: Bool { calls.isEmpty && timers.isEmpty }
}

@available(*, unavailable)
extension WorldSnapshot: Sendable {}
