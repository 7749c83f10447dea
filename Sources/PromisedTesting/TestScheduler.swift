public import Promise
internal import PromisedSystem

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
        /// The number of the work that scheduled it.
        let owner: Int
        /// Which timer of its owner it is; nil if it was scheduled without a delay.
        let timer: Int?
    }

    private struct State {
        var now: Duration = .zero
        // Sorted by due time, then by age, in descending order: removing the next one from the end is O(1).
        var entries: [Entry] = []
        var openWork: [Int: Origin] = [:]
        var lastOpened = 0
        /// The owner of the work that runs now, a number that an exploration assigns.
        var owner = 0
        /// The timers that have fired since ``TestScheduler/takeFiredTimers()`` was last called.
        var firedTimers: [(owner: Int, timer: Int)] = []
        /// How many timers each owner has set; nil outside of an exploration.
        var timersSet: [Int: Int]?
        var scheduledAtOnce = 0

        /// The count of entries at which cancelled ones are removed.
        var sweepAt = 64

        mutating func insert(_ entry: Entry) {
            if entry.timer == nil { scheduledAtOnce += 1 }
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

        /// The number of a new timer among those of its owner; 0 outside of an exploration.
        mutating func nextTimer() -> Int {
            guard timersSet != nil else { return 0 }
            timersSet?[owner, default: 0] += 1
            return timersSet?[owner] ?? 0
        }

        /// Whether an exploration ignores this work: a timer that serves only diagnostics.
        func isExcluded(_ work: ScheduledWork) -> Bool { timersSet != nil && work.isFor(.report) }
    }

    private let state = Lock(State())

    /// Creates a scheduler at time zero without scheduled work.
    public init() {}

    /// The virtual time: how far the clock has been moved since the scheduler was created.
    public var now: Duration { state.withLock { $0.now } }

    /// Enqueues `work` for the next time that the clock is moved or ``run(limit:fileID:filePath:line:column:)`` is
    /// called, behind the work that is already due.
    public func schedule(_ work: @escaping @Sendable () -> Void) { schedule(after: .zero, work) }

    /// Schedules `work` for when the clock has been moved by `delay`. A negative delay counts as zero.
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
        let scheduled = ScheduledWork { [unowned self] in runAsCurrent(work) }
        state.withLock {
            let timer = delay > .zero ? $0.nextTimer() : nil
            $0.insert(
                Entry(
                    due: $0.now.later(by: max(delay, .zero)), work: scheduled, owner: $0.owner, timer: timer))
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
    public func advance(by duration: Duration = .zero) { advance(to: now.later(by: max(duration, .zero))) }

    /// Moves the clock to `instant` and runs everything that falls due, each at its own instant.
    ///
    /// - Parameter instant: The new time. If it lies in the past, this is a no-op: ``advance(by:)`` runs what is due
    ///   now.
    public func advance(to instant: Duration) {
        while let work = take(until: instant) { work.run() }
        state.withLock { $0.now = max($0.now, instant) }
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
            guard let work = take(until: nil) else { return }
            work.run()
        }
        guard pendingCount > 0 else { return }
        fail(
            "The scheduler ran \(limit) work items and more are pending: something reschedules itself "
                + "endlessly. Use advance(by:) to move the clock by a fixed amount, or a larger limit.",
            TestPlace(fileID, filePath, line, column))
    }

    /// The number of pending work items, without those that were cancelled.
    public var pendingCount: Int { state.withLock { $0.entries.count { $0.work.isPending } } }

    private func take(until limit: Duration?) -> ScheduledWork? {
        state.withLock { state in
            while let next = state.entries.last {
                if let limit, next.due > limit { return nil }
                state.entries.removeLast()
                guard next.work.isPending, !state.isExcluded(next.work) else { continue }
                state.now = max(state.now, next.due)
                state.owner = next.owner
                if let timer = next.timer { state.firedTimers.append((next.owner, timer)) }
                return next.work
            }
            return nil
        }
    }
}

// MARK: - Owners of work

extension TestScheduler {
    /// The owner of the work that runs now; work that it schedules gets the same owner.
    package var owner: Int {
        get { state.withLock { $0.owner } }
        set { state.withLock { $0.owner = newValue } }
    }

    /// A pending timer.
    package struct Timer {
        /// The time until it fires.
        package let left: Duration
        /// Its owner, and its number among the owner's timers; nil for a timer of the loop.
        package let setBy: (owner: Int, timer: Int)?
    }

    /// Prepares the scheduler for an exploration: ignores timers that serve only diagnostics, and numbers the timers of
    /// each owner.
    package func prepareForExploration() { state.withLock { $0.timersSet = [:] } }

    /// The pending timers, sorted by due time and then by age.
    package var timers: [Timer] {
        state.withLock { state in
            state.entries.reversed().compactMap { entry in
                guard entry.work.isPending, !state.isExcluded(entry.work) else { return nil }
                let isOfLoop = entry.work.isFor(.loop)
                return Timer(
                    left: entry.due - state.now, setBy: isOfLoop ? nil : (entry.owner, entry.timer ?? 0))
            }
        }
    }

    /// Where open `async` work was created, in order of its start.
    package var openAsyncWork: [Origin] {
        state.withLock { $0.openWork.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// How many work items were scheduled so far without a delay.
    package var scheduledAtOnce: Int { state.withLock { $0.scheduledAtOnce } }

    /// Returns the timers that have fired since the last call, in order.
    package func takeFiredTimers() -> [(owner: Int, timer: Int)] {
        state.withLock { state in
            defer { state.firedTimers = [] }
            return state.firedTimers
        }
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
