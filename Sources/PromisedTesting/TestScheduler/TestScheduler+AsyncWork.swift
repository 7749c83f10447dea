internal import Dispatch
public import Promise

extension TestScheduler {
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
        return { [self] in changeAndWake { $0.openWork[number] = nil } }
    }

    /// Where open `async` work was created, in order of its start.
    package var openAsyncWork: [Origin] {
        state.withLock { $0.openWork.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Ends a test: runs the due work, and fails the test if `async` work is still open, with the place of its
    /// creation.
    ///
    /// Such work waits for something outside virtual time (another actor, a real timer, the network), for which this
    /// waits as long as ``asyncWorkLimit`` says, or for a promise that the test did not settle.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let place = TestPlace(fileID, filePath, line, column)
        advance(at: place)
        let waited = blockForAsyncWork(at: place) { openAsyncWork.isEmpty }
        let open = openAsyncWork.map(\.description)
        guard !open.isEmpty else { return }
        fail(
            "\(open.count) async work still open, made at \(open.joined(separator: ", ")). It waits for "
                + "something outside virtual time, or for a promise that was not settled."
                + (waited.map { " The test has waited for it in vain, \($0) in real time." } ?? ""), place)
    }
}

// MARK: - Waiting

extension TestScheduler {
    /// How long, in real time, an assertion that fails waits for open `async` work; one second unless set, and zero for
    /// not at all. It is up to ten times as long while the threads of Swift's pool are so busy, with other tests for
    /// example, that they start nothing new.
    ///
    /// `async` work may leave the scheduler, such as for the main actor, another actor or a task of its own, and comes
    /// back at a time that no test knows. So an assertion of a ``TestSystem``, and
    /// ``finish(fileID:filePath:line:column:)``, waits before it fails, as long as such work is open, and calls its
    /// closures again for each try. It blocks its thread; in an `async` test,
    /// ``TestSystem/afterAsyncWork(within:fileID:filePath:line:column:_:)`` does not.
    public var asyncWorkLimit: Duration {
        get { state.withLock { $0.asyncWorkLimit } }
        set { state.withLock { $0.asyncWorkLimit = newValue } }
    }

    /// Runs the due work, and blocks the thread while `isMet` returns false and `async` work is open.
    ///
    /// Work that waits for the clock or for the test counts as open, too: it may wait for another executor besides.
    ///
    /// - Returns: The duration of the wait in real time, if it was hopeless; nil otherwise.
    package func blockForAsyncWork(at place: TestPlace, until isMet: () -> Bool) -> Duration? {
        let limit = asyncWorkLimit
        guard limit > .zero, !isMet() else { return nil }
        var patience = PoolPatience(limit)
        repeat {
            let semaphore = DispatchSemaphore(value: 0)
            guard wakeOnReturn(ScheduledWork { semaphore.signal() }) else { return nil }
            while semaphore.wait(timeout: patience.deadline) == .timedOut {
                if patience.isOver() { return patience.waited }
            }
        } while advance(at: place) && !isMet()
        return nil
    }

    /// The same, but suspends the caller.
    package func waitForAsyncWork(
        within limit: Duration, at place: TestPlace, until isMet: () -> Bool
    ) async -> Duration? {
        if isMet() { return nil }
        let clock = QueueScheduler.serial("PromisedTesting.afterAsyncWork")
        var patience = PoolPatience(limit)
        repeat {
            if patience.left <= .zero, patience.isOver() { return patience.waited }
            let left = patience.left
            var timeout: ScheduledWork?
            let isOpen = await withCheckedContinuation { continuation in
                let waiter = ScheduledWork { continuation.resume(returning: true) }
                if wakeOnReturn(waiter) {
                    timeout = clock.schedule(after: left) { waiter.run() }
                } else {
                    continuation.resume(returning: false)
                }
            }
            timeout?.cancel()
            guard isOpen else { return nil }
        } while advance(at: place) && !isMet()
        return nil
    }

    /// Runs `waiter` when something is scheduled or `async` work ends; immediately if something is due.
    ///
    /// - Returns: False if no work is open and nothing is due; then it never runs.
    private func wakeOnReturn(_ waiter: ScheduledWork) -> Bool {
        let (isDue, isOpen) = state.withLock { state in
            let isDue = state.nextDue.map { $0 <= state.now } ?? false
            if !isDue, !state.openWork.isEmpty { state.waiter = waiter }
            return (isDue, !state.openWork.isEmpty)
        }
        if isDue { waiter.run() }
        return isDue || isOpen
    }
}

extension TestScheduler: TaskExecutor {
    /// Enqueues a job until the clock is moved. Called by the concurrency runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        schedule { [unowned self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
