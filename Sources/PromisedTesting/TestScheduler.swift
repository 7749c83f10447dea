public import Promise

/// A scheduler whose time is virtual: nothing runs until the test says so, and no time passes in between.
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
/// Work that is due at the same instant runs in the order in which it was scheduled. Everything runs on the
/// thread that advances. `async` work of promises runs here too; what such work does on the main actor or
/// another actor is outside virtual time, and so is `Task.sleep`, whose clock is real (await a promise with a
/// delay instead): ``finish(fileID:filePath:line:column:)`` says so.
public final class TestScheduler: SerialScheduler {
    private struct Entry {
        let due: Duration
        let work: ScheduledWork
        /// What it was scheduled by, and which timer of that it is; nil if it was not to wait.
        let owner: Int
        let timer: Int?
    }

    private struct State {
        var now: Duration = .zero
        // By due time, and among equals by age; the next one last, so that taking it is cheap.
        var entries: [Entry] = []
        var openWork: [Int: Origin] = [:]
        var lastOpened = 0
        /// What the work that runs now belongs to, by a number that an exploration gives it, and the owners of the
        /// timers that have run since it last asked.
        var owner = 0
        var rung: [(owner: Int, timer: Int)] = []
        /// In an exploration: how many timers each owner has set.
        var timersSet: [Int: Int]?
        var scheduledAtOnce = 0

        /// As many as there may be before those that were cancelled are looked for.
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

        /// The number of a timer that is being set, among those of its owner.
        mutating func nextTimer() -> Int {
            guard timersSet != nil else { return 0 }
            timersSet?[owner, default: 0] += 1
            return timersSet?[owner] ?? 0
        }

        /// Whether an exploration leaves this out: what the library would only tell the programmer.
        func leavesOut(_ work: ScheduledWork) -> Bool { timersSet != nil && work.isFor(.report) }
    }

    private let state = Lock(State())

    /// A scheduler at time zero with nothing to do.
    public init() {}

    /// How far the clock has been moved.
    public var now: Duration { state.withLock { $0.now } }

    /// Keeps `work` for the next time that the clock is moved or ``run()`` is called, behind what waits.
    public func schedule(_ work: @escaping @Sendable () -> Void) { schedule(after: .zero, work) }

    /// Keeps `work` until the clock has been moved by `delay`.
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

    /// Runs `async` work when the clock is moved, on the thread that moves it.
    public var taskExecutor: (any TaskExecutor)? { self }

    /// Keeps count of `async` work for ``finish(fileID:filePath:line:column:)``.
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
    /// Moves the clock by `duration` and runs everything that falls due on the way, each at its own instant.
    ///
    /// - Parameter duration: How far; zero, the default, runs what is due now.
    public func advance(by duration: Duration = .zero) { advance(to: now.later(by: max(duration, .zero))) }

    /// Moves the clock to `instant` and runs everything that falls due on the way, each at its own instant.
    ///
    /// - Parameter instant: The new time; one that has passed runs what is due now.
    public func advance(to instant: Duration) {
        while let work = take(until: instant) { work.run() }
        state.withLock { $0.now = max($0.now, instant) }
    }

    /// Moves the clock from one piece of work to the next until none is left.
    ///
    /// Work that schedules itself again and again never ends; then the clock stands still after `limit`
    /// pieces, and the test fails.
    ///
    /// - Parameter limit: How many pieces of work to run at most.
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
            "The scheduler ran \(limit) pieces of work and there is still more: something schedules itself "
                + "without end. Use advance(by:) to go a certain way, or a larger limit.",
            TestPlace(fileID, filePath, line, column))
    }

    /// The pieces of work that wait, those that were cancelled left out.
    public var pendingCount: Int { state.withLock { $0.entries.count { $0.work.isPending } } }

    private func take(until limit: Duration?) -> ScheduledWork? {
        state.withLock { state in
            while let next = state.entries.last {
                if let limit, next.due > limit { return nil }
                state.entries.removeLast()
                guard next.work.isPending, !state.leavesOut(next.work) else { continue }
                state.now = max(state.now, next.due)
                state.owner = next.owner
                if let timer = next.timer { state.rung.append((next.owner, timer)) }
                return next.work
            }
            return nil
        }
    }
}

// MARK: - Who has scheduled what

extension TestScheduler {
    /// What the work that runs now belongs to; what it schedules belongs to the same.
    var owner: Int {
        get { state.withLock { $0.owner } }
        set { state.withLock { $0.owner = newValue } }
    }

    /// A timer that runs.
    struct Timer {
        /// How long it has left.
        let left: Duration
        /// Whose it is, and which of its; nil for the loop's.
        let setBy: (owner: Int, timer: Int)?
    }

    /// Leaves out what the library would only tell the programmer, and tells the timers of one owner apart.
    func beExplored() { state.withLock { $0.timersSet = [:] } }

    /// The timers that run, the next first, and among those that are due together in the order of their age.
    var timers: [Timer] {
        state.withLock { state in
            state.entries.reversed().compactMap { entry in
                guard entry.work.isPending, !state.leavesOut(entry.work) else { return nil }
                let isOfLoop = entry.work.isFor(.loop)
                return Timer(
                    left: entry.due - state.now, setBy: isOfLoop ? nil : (entry.owner, entry.timer ?? 0))
            }
        }
    }

    /// Where `async` work was made that is not over.
    var openAsyncWork: [Origin] {
        state.withLock { $0.openWork.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// How much was scheduled so far that was due at once.
    var scheduledAtOnce: Int { state.withLock { $0.scheduledAtOnce } }

    /// The timers that have run since this was asked, in order.
    func takeRung() -> [(owner: Int, timer: Int)] {
        state.withLock { state in
            defer { state.rung = [] }
            return state.rung
        }
    }
}

// MARK: - Async work

extension TestScheduler: TaskExecutor {
    /// Keeps a job until the clock is moved; for the concurrency runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        schedule { [unowned self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Ends a test: runs what is due now, and fails if `async` work is still open, naming where it was made.
    ///
    /// Such work waits for something outside virtual time (another actor, a real timer, the network), or for
    /// a promise that the test did not settle.
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
