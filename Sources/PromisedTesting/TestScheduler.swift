public import Promise
package import PromisedSystem

/// A scheduler with virtual time: nothing runs until the test moves its clock.
///
/// ```swift
/// import Promise
///
/// let scheduler = TestScheduler()
/// let tea = Promise.value("tea").delay(.seconds(180)).start(on: scheduler)
/// scheduler.advance(by: .seconds(179))
/// assert(tea.result == nil)
/// scheduler.advance(by: .seconds(1))
/// print(try tea.result?.get() as Any)
/// ```
///
/// Work that is due at the same instant runs in the order in which it was scheduled. Everything runs on the thread that
/// moves the clock. `async` work of promises runs here too. What such work does on the main actor or another actor is
/// outside virtual time, and so is `Task.sleep`, which uses a real clock: await a promise with a delay instead.
/// ``finish(fileID:filePath:line:column:)`` reports such work if it is still open.
public final class TestScheduler: SerialScheduler {
    private struct Entry {
        let due: Duration
        let work: ScheduledWork
        /// The work of an explored system that scheduled it, and which of its timers it is; nil without a delay.
        let owner: (any WorkOwner)?
        let timer: Int?
    }

    private struct State {
        var now: Duration = .zero
        // Sorted by due time, then by age, in descending order: removing the next one from the end is O(1).
        var entries: [Entry] = []
        var openWork: [Int: Origin] = [:]
        var lastOpened = 0
        /// Set only while systems are explored.
        var observer: (any SchedulerObserver)?

        /// The count of entries at which cancelled ones are removed.
        var sweepAt = 64

        mutating func insert(_ entry: Entry) {
            if entries.count >= sweepAt {
                entries.removeAll { !$0.work.isPending }
                sweepAt = max(64, 2 * entries.count)
            }
            var low = 0
            var high = entries.count
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].due > entry.due { low = middle + 1 } else { high = middle }
            }
            entries.insert(entry, at: low)
        }

        /// Whether an exploration ignores this work: a timer that serves only diagnostics.
        func isExcluded(_ work: ScheduledWork) -> Bool { observer != nil && work.isFor(.report) }

        /// Whether anything is pending, apart from timers that serve only diagnostics.
        var hasWork: Bool { entries.lastIndex { $0.work.isPending && !$0.work.isFor(.report) } != nil }
    }

    private let state = Lock(State())

    /// Creates a scheduler at time zero without scheduled work.
    public init() {}

    /// The virtual time: how far the clock has been moved since the scheduler was created.
    public var now: Duration {
        let (now, observer) = state.withLock { ($0.now, $0.observer) }
        observer?.readsClock(now)
        return now
    }

    /// Enqueues `work` for the next time that the clock is moved or ``run(limit:fileID:filePath:line:column:)`` is
    /// called, behind the work that is already due.
    public func schedule(_ work: @escaping @Sendable () -> Void) { schedule(after: .zero, work) }

    /// Schedules `work` for when the clock has been moved by `delay`. A negative delay counts as zero.
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        let observer = state.withLock { $0.observer }
        observer?.schedules()
        return schedule(after: delay, by: observer == nil ? nil : inheritedScheduler as? any WorkOwner, work)
    }

    package func schedule(
        after delay: Duration, by owner: (any WorkOwner)?, _ work: @escaping @Sendable () -> Void
    ) -> ScheduledWork {
        let scheduled = ScheduledWork { [unowned self] in
            runAsCurrent { if let owner { inheriting(owner, work) } else { work() } }
        }
        let timer = delay > .zero ? owner?.setsTimer() : nil
        state.withLock {
            $0.insert(
                Entry(due: $0.now.later(by: max(delay, .zero)), work: scheduled, owner: owner, timer: timer))
        }
        return scheduled
    }

    /// The executor of `async` work: this scheduler, which runs it on the thread that moves the clock.
    public var taskExecutor: (any TaskExecutor)? { self }

    /// Registers `async` work, which ``finish(fileID:filePath:line:column:)`` reports if it is still open.
    ///
    /// - Returns: A closure to call when the work has ended.
    public func asyncWorkBegins(at origin: Origin) -> @Sendable () -> Void {
        let number = state.withLock { state in
            state.lastOpened += 1
            state.openWork[state.lastOpened] = origin
            return state.lastOpened
        }
        return { [self] in state.withLock { $0.openWork[number] = nil } }
    }
}

// MARK: - Moving the clock

extension TestScheduler {
    /// Moves the clock by `duration` and runs everything that falls due, each at its own instant.
    ///
    /// - Parameter duration: How far to move the clock; zero, the default, runs what is due now.
    public func advance(by duration: Duration = .zero) {
        advance(to: unobservedNow.later(by: max(duration, .zero)))
    }

    /// Moves the clock to `instant` and runs everything that falls due, each at its own instant.
    ///
    /// - Parameter instant: The new time. If it lies in the past, this is a no-op: ``advance(by:)`` runs what is due
    ///   now.
    public func advance(to instant: Duration) { _ = advance(to: instant, limit: .max) }

    /// The same, but runs no more than `limit` work items; false if more are due.
    package func advance(to instant: Duration, limit: Int) -> Bool {
        var count = 0
        while let work = take(until: instant) {
            run(work)
            count += 1
            if count == limit { return false }
        }
        state.withLock { $0.now = max($0.now, instant) }
        return true
    }

    /// Releases the pending work items, which may refer to this scheduler, without running them.
    package func discard() {
        let entries = state.withLock { state in
            defer { state.entries = [] }
            return state.entries
        }
        withExtendedLifetime(entries) {}
    }

    /// Moves the clock from one scheduled work item to the next until none is left.
    ///
    /// Work that reschedules itself would never end: after `limit` items the clock stops, and if more are pending, the
    /// test fails.
    ///
    /// - Parameter limit: How many work items to run at most.
    public func run(
        limit: Int = 1_000_000, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        for _ in 0..<limit {
            guard state.withLock({ $0.hasWork }), let work = take(until: nil) else { return }
            run(work)
        }
        guard pendingCount > 0 else { return }
        fail(
            "The scheduler ran \(limit) work items and more are pending: something reschedules itself "
                + "endlessly. Use advance(by:) to move the clock by a fixed amount, or a larger limit.",
            TestPlace(fileID, filePath, line, column))
    }

    /// The number of pending work items, without those that were cancelled, and without the timers by which systems
    /// notice that a transition takes too long.
    public var pendingCount: Int {
        state.withLock { $0.entries.count { $0.work.isPending && !$0.work.isFor(.report) } }
    }

    private func run(_ entry: Entry) {
        state.withLock { $0.observer }?.runs()
        if let timer = entry.timer { entry.owner?.timerFired(timer) }
        entry.work.run()
    }

    private func take(until limit: Duration?) -> Entry? {
        state.withLock { state in
            while let next = state.entries.last {
                if let limit, next.due > limit { return nil }
                state.entries.removeLast()
                guard next.work.isPending, !state.isExcluded(next.work) else { continue }
                state.now = max(state.now, next.due)
                return next
            }
            return nil
        }
    }
}

// MARK: - Exploration

/// A piece of work of an explored system, as the scheduler of the chains that it starts: the owner of their timers.
package protocol WorkOwner: SerialScheduler {
    /// Counts a timer, and returns its number among those of this work.
    func setsTimer() -> Int
    func timerFired(_ number: Int)
}

/// Observes a scheduler on behalf of an exploration.
package protocol SchedulerObserver: AnyObject, Sendable {
    /// Called when the clock is read by other code than the library's.
    func readsClock(_ now: Duration)
    /// Called when something is scheduled, on the thread that does so.
    func schedules()
    /// Called before scheduled work is run.
    func runs()
    func created(_ system: any ExploredSystem)
}

extension TestScheduler: SystemHost {
    /// A pending timer.
    package struct Timer {
        /// The time until it fires.
        package let left: Duration
        package let work: ScheduledWork
        /// The work that has set it, and its number among the timers of that work; nil for one of a loop.
        package let owner: (any WorkOwner)?
        package let number: Int
    }

    /// Lets `observer` observe the scheduler, and ignores timers that serve only diagnostics.
    package func observe(by observer: (any SchedulerObserver)?) { state.withLock { $0.observer = observer } }

    package func created(_ system: any ExploredSystem) { state.withLock { $0.observer }?.created(system) }

    /// The time, without counting as a read.
    package var unobservedNow: Duration { state.withLock { $0.now } }

    /// The pending timers, in the order in which they fire.
    package var timers: [Timer] {
        state.withLock { state in
            state.entries.reversed().compactMap { entry in
                guard entry.work.isPending, !state.isExcluded(entry.work) else { return nil }
                return Timer(
                    left: entry.due - state.now, work: entry.work, owner: entry.owner,
                    number: entry.timer ?? 0)
            }
        }
    }

    /// Where open `async` work was created, in order of its start.
    package var openAsyncWork: [Origin] {
        state.withLock { $0.openWork.sorted { $0.key < $1.key }.map(\.value) }
    }
}

// MARK: - Async work

extension TestScheduler: TaskExecutor {
    /// Enqueues a job until the clock is moved. Called by the concurrency runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        schedule { [unowned self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Ends a test: runs what is due now, and fails the test if `async` work is still open, with the place of its
    /// creation.
    ///
    /// Such work waits for something outside virtual time (another actor, a real timer, the network), or for a promise
    /// that the test did not settle.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        advance()
        let open = openAsyncWork.map(\.description)
        guard !open.isEmpty else { return }
        fail(
            "\(open.count) async work still open, made at \(open.joined(separator: ", ")). It waits for "
                + "something outside virtual time, or for a promise that was not settled.",
            TestPlace(fileID, filePath, line, column))
    }
}
