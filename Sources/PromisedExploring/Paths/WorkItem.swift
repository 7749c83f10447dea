internal import Promise
internal import PromisedSystem
internal import PromisedTesting

/// A piece of work of an explored system: a transition or the run of an effect.
///
/// It is also the scheduler on which its chains run. A chain runs on the scheduler of its starter, and everything that
/// it starts inherits that. So each timer, call, job and read belongs to the work that has caused it, without any
/// bookkeeping by that work.
final class WorkItem: WorkOwner, RunScheduler, CallHosting {
    private struct Learned: Sendable {
        var history: Int
        var timers = 0
        var calls = 0
        var rememberedPromises = 0
        /// Whether it may depend on everything that happens.
        var followsPath = false
        var isCancelled = false
        /// Whether it does nothing but send events for the states of another system.
        var isForwarding = false

        /// Something that it has begun may keep the value that was delivered.
        mutating func keepsValue() {
            if isForwarding { followsPath = true }
        }
    }

    private unowned let record: PathRecord
    private let base: TestScheduler
    private let content: Lock<Learned>

    init(_ record: PathRecord, history: Int) {
        (self.record, base) = (record, record.scheduler)
        content = Lock(Learned(history: history))
    }

    /// The input of the work, and everything that it has learned since.
    var history: Int { knowledge.history }

    /// The same, and whether it may depend on everything that happens.
    var knowledge: (history: Int, followsPath: Bool) {
        let (history, followsPath) = content.withLock { ($0.history, $0.followsPath) }
        return (followsPath ? PathHistory.adding(.path, record.path, to: history) : history, followsPath)
    }

    func learn(_ kind: PathHistory.Addition, _ first: Int, _ second: Int = 0) {
        record.acts()
        content.withLock { content in
            // Everything that it reads is in the event that it sends at once.
            if content.isForwarding { return }
            content.history = PathHistory.adding(kind, first, second, to: content.history)
        }
    }

    /// Whether its run was cancelled, with the chains that wait for something.
    var isCancelled: Bool { content.withLock { $0.isCancelled } }
    func cancel() { content.withLock { $0.isCancelled = true } }

    var followsPath: Bool { content.withLock { $0.followsPath } }

    /// From now on, everything that happens may have an influence on the work.
    func followPath() { content.withLock { $0.followsPath = true } }

    /// From now on it depends on nothing that has happened.
    func forget() { restart(0) }

    /// Stands for new work from now on.
    func restart(_ history: Int) { content.withLock { $0 = Learned(history: history) } }

    /// The number of a new call among those of this work.
    func opensCall() -> Int {
        content.withLock { content in
            content.calls += 1
            content.keepsValue()
            return content.calls
        }
    }

    /// The memory of a settled promise that it has started: all that the work knew then, and which one it
    /// is of those that are still referenced. Its number among all would depend on the order of starting, which differs
    /// with the depth of the call stack.
    func remembersPromise() -> Int {
        let number = content.withLock { content in
            content.rememberedPromises += 1
            content.keepsValue()
            return content.rememberedPromises
        }
        return PathHistory.adding(.shared, number, to: history)
    }

    /// Something else may have called it: then it may depend on that.
    func acts() {
        record.schedules()
        if record.currentWork !== self { followPath() }
    }

    /// Whether it waits for the states of another system of the world.
    var isForwarding: Bool { content.withLock { $0.isForwarding } }

    func forwards(from scheduler: (any SerialScheduler)?) -> Bool {
        guard scheduler === base else { return false }
        content.withLock { $0.isForwarding = true }
        record.content.withLock { $0.forwarding.append(self) }
        return true
    }

    // MARK: Timers

    func setsTimer() -> Int {
        content.withLock { content in
            content.timers += 1
            content.keepsValue()
            return content.timers
        }
    }

    func timerFired(_ number: Int) { learn(.timer, number) }

    // MARK: Scheduling

    var now: Duration { inheriting(self) { base.now } }
    var isCurrent: Bool { base.isCurrent }
    var taskExecutor: (any TaskExecutor)? { self }
    var callHost: (any CallHost)? { base.callHost }

    func schedule(_ work: @escaping @Sendable () -> Void) { _ = schedule(after: .zero, work) }

    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        record.schedules()
        guard record.hasMemories else { return base.schedule(after: delay, by: self, work) }
        return base.schedule(after: delay, by: self) { [self] in record.causing(history, work) }
    }

    func asyncWorkBegins(at origin: Origin) -> @Sendable () -> Void { base.asyncWorkBegins(at: origin) }
}

extension WorkItem: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        guard record.hasMemories else {
            return schedule { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
        record.resumes(self)
        schedule { [self] in
            record.continues(self)
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
