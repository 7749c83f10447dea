internal import Promise
internal import PromisedSystem

/// The scheduler of systems that are run again: nothing happens until the replay says so. Work runs on its thread, and
/// timers fire when they have fired in the recording, however late that was.
final class ReplayScheduler: WorkHost {
    /// Identifies a timer of a run or of a transition.
    struct TimerName: Sendable, Hashable {
        /// Such as `run 7`; for a timer of a loop its purpose, such as `request 3`.
        let owner: String
        let number: Int
    }

    private struct DueWork: Sendable {
        /// Counts the scheduled work.
        let number: Int
        let work: ScheduledWork
    }

    private struct HeldTimer: Sendable {
        let number: Int
        let due: Duration
        let name: TimerName
        let work: ScheduledWork
    }

    private struct Agenda: Sendable {
        var now: Duration
        var due = Deque<DueWork>()
        var timers: [HeldTimer] = []
        /// Names the timers of a loop.
        var purpose = ""
        var openWork: [Int: Origin] = [:]
        var lastNumber = 0

        mutating func nextNumber() -> Int {
            lastNumber += 1
            return lastNumber
        }
    }

    private let agenda: Lock<Agenda>
    let calls = OpenCalls()
    private let receiver: any FactReceiver
    private let observes: @Sendable (any ExploredSystem) -> Bool

    /// - Parameters:
    ///   - receiver: Is passed the facts of a system that is created on the scheduler.
    ///   - observes: Whether it is that one; the work of others belongs to no system.
    init(
        at now: Duration, _ receiver: any FactReceiver,
        observing observes: @escaping @Sendable (any ExploredSystem) -> Bool
    ) { (agenda, self.receiver, self.observes) = (Lock(Agenda(now: now)), receiver, observes) }

    // MARK: Scheduling

    var now: Duration { agenda.withLock { $0.now } }

    func schedule(_ work: @escaping @Sendable () -> Void) {
        let work = ScheduledWork(work)
        agenda.withLock { $0.due.append(DueWork(number: $0.nextNumber(), work: work)) }
    }

    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        hold(nil, for: delay, work)
    }

    func hold(
        _ number: Int, of owner: String, for delay: Duration, _ work: @escaping @Sendable () -> Void
    ) -> ScheduledWork { hold(TimerName(owner: owner, number: number), for: delay, work) }

    private func hold(
        _ name: TimerName?, for delay: Duration, _ work: @escaping @Sendable () -> Void
    ) -> ScheduledWork {
        let work = ScheduledWork(work)
        agenda.withLock { agenda in
            let due = agenda.now.later(by: max(.zero, delay))
            // Behind those that are due at the same time.
            let place = agenda.timers.lastIndex { $0.due <= due }.map { $0 + 1 } ?? 0
            let name = name ?? TimerName(owner: agenda.purpose, number: 0)
            let timer = HeldTimer(number: agenda.nextNumber(), due: due, name: name, work: work)
            agenda.timers.insert(timer, at: place)
        }
        return work
    }

    var taskExecutor: (any TaskExecutor)? { self }

    func asyncWorkBegins(at origin: Origin) -> @Sendable () -> Void {
        let number = agenda.withLock { agenda in
            let number = agenda.nextNumber()
            agenda.openWork[number] = origin
            return number
        }
        return { [agenda] in agenda.withLock { $0.openWork[number] = nil } }
    }

    // MARK: For the replay

    /// Where `async` work was created that has not ended.
    var openWork: [Origin] { agenda.withLock { $0.openWork.sorted { $0.key < $1.key }.map(\.value) } }

    func namesTimers(of purpose: String) { agenda.withLock { $0.purpose = purpose } }

    func moveClock(to instant: Duration) { agenda.withLock { $0.now = max($0.now, instant) } }

    /// The number of the work that is scheduled next.
    var nextNumber: Int { agenda.withLock { $0.lastNumber + 1 } }

    /// Runs the next due work; false if there is none, or none that was scheduled before a number.
    func runNext(before number: Int = .max) -> Bool {
        let next = agenda.withLock { agenda in
            agenda.due.first.map { $0.number < number } ?? false ? agenda.due.popFirst() : nil
        }
        guard let next else { return false }
        withNestedTrampoline { runAsCurrent { next.work.run() } }
        return true
    }

    /// Runs `body` and the first work that it schedules, before the work that is due already.
    func runAhead(_ body: () throws(DecodingProblem) -> Void) throws(DecodingProblem) {
        let due = agenda.withLock { agenda in
            defer { agenda.due = Deque() }
            return agenda.due
        }
        defer {
            agenda.withLock { agenda in
                let new = agenda.due.all
                agenda.due = due
                for work in new { agenda.due.append(work) }
            }
        }
        // Nested, so that the deliveries happen now, even within other work.
        let result = withNestedTrampoline { runAsCurrent { Result(catching: body) } }
        try result.get()
        _ = runNext()
    }

    /// Lets a timer fire, after the work that was scheduled before the timer; false if there is none of that name.
    func fire(_ name: TimerName) -> Bool {
        let timer = agenda.withLock { agenda -> HeldTimer? in
            agenda.timers.removeAll { !$0.work.isPending }
            let place = agenda.timers.firstIndex { $0.name == name && !$0.work.isFor(.report) }
            return place.map { agenda.timers.remove(at: $0) }
        }
        guard let timer else { return false }
        while runNext(before: timer.number) {}
        withNestedTrampoline { runAsCurrent { timer.work.run() } }
        return true
    }

    /// Releases the work, which may refer to the scheduler.
    func discard() {
        let agenda = agenda.exchange(for: Agenda(now: now))
        calls.removeAll()
        withExtendedLifetime(agenda) {}
    }
}

extension ReplayScheduler: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        schedule { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}

extension ReplayScheduler: SystemHost {
    func created(_ system: any ExploredSystem) -> Bool {
        if observes(system) { system.observe(by: RecordedWork(receiver, on: self)) }
        return true
    }
}
