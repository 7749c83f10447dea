internal import PromisedSystem
internal import PromisedTesting

/// The contents of a world and its systems between two steps.
struct WorldSnapshot {
    /// The systems, the explored one first; the snapshot is nil after the end of a system.
    let systems: [(snapshot: LoopSnapshot?, record: SystemRecord)]
    let timers: [TestScheduler.PendingTimer]
    let calls: [WorldCall]
    /// The time until the next timer fires, a throttle window closes or a property has to be fulfilled; nil if nothing
    /// is due.
    let due: Duration?

    init(of world: WorldCore) {
        systems = world.record.systems.map { ($0.system.snapshot, $0.record) }
        timers = world.scheduler.timers
        calls = world.openCalls
        var ends = world.monitors.deadline.map { [$0] } ?? []
        for case (let snapshot?, _) in systems {
            for window in snapshot.windows { ends.append(window.end) }
            for slot in snapshot.slots { if let end = slot.windowEnd { ends.append(end) } }
        }
        let now = world.scheduler.unobservedNow
        due = ends.reduce(timers.first?.left) { min($0 ?? $1 - now, $1 - now) }
    }

    /// Whether only an event can change something.
    var isRest: Bool { calls.isEmpty && timers.isEmpty }
}
