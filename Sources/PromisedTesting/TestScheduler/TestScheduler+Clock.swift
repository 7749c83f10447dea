import Promise

extension TestScheduler {
    /// Moves the clock by `duration` and runs everything that falls due, each at its own instant.
    ///
    /// Work that schedules itself again without a delay would never end: after 100,000 work items at one instant, the
    /// test fails, with the names of what runs.
    ///
    /// - Parameter duration: How far to move the clock; zero, the default, runs the due work.
    public func advance(
        by duration: Duration = .zero, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        advance(by: duration, at: TestPlace(fileID, filePath, line, column))
    }

    /// Moves the clock to `instant` and runs everything that falls due, each at its own instant.
    ///
    /// - Parameter instant: The new time. If it lies in the past, this is a no-op:
    ///   ``advance(by:fileID:filePath:line:column:)`` runs the due work.
    public func advance(
        to instant: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        advance(to: instant, at: TestPlace(fileID, filePath, line, column))
    }

    /// Moves the clock from one instant at which work is due to the next until no work is left.
    ///
    /// A timer that is set again each time would never end: after `limit` instants the clock stops, and if more work is
    /// pending, the test fails, with the names of what runs.
    ///
    /// - Parameter limit: To how many instants to move the clock at most.
    public func run(
        limit: Int = 1_000, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        let place = TestPlace(fileID, filePath, line, column)
        var instants = 0
        while let due = state.withLock({ $0.nextDue }) {
            if due > unobservedNow {
                guard instants < limit else {
                    return failEndless("moved the clock \(limit) times, to \(unobservedNow)", place)
                }
                instants += 1
            }
            guard advance(to: due, at: place) else { return }
        }
    }

    /// Moves the clock, and fails the test if work at one instant has no end; then it returns false.
    @discardableResult
    package func advance(by duration: Duration = .zero, at place: TestPlace) -> Bool {
        advance(to: unobservedNow.later(by: max(duration, .zero)), at: place)
    }

    @discardableResult
    func advance(to instant: Duration, at place: TestPlace) -> Bool {
        let count = 100_000
        if advance(to: instant, limit: count) { return true }
        failEndless("ran \(count) work items at \(unobservedNow)", place)
        return false
    }

    /// Moves the clock, and runs no more than `limit` work items at each instant; false if more are due at one.
    package func advance(to instant: Duration, limit: Int) -> Bool {
        var (last, count) = (Duration.zero, 0)
        while let entry = take(until: instant) {
            if entry.due > last { (last, count) = (entry.due, 0) }
            run(entry)
            count += 1
            if count == limit { return false }
        }
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

    private func run(_ entry: ScheduledItem) {
        state.withLock { $0.observer }?.runs()
        if let timer = entry.timer { entry.owner?.timerFired(timer) }
        entry.work.run()
    }

    /// Removes the next item that is due, and moves the clock to it, or else to the limit.
    private func take(until limit: Duration) -> ScheduledItem? {
        state.withLock { state in
            while let next = state.entries.last, next.due <= limit {
                state.entries.removeLast()
                guard next.work.isPending, !state.isExcluded(next.work) else { continue }
                state.now = max(state.now, next.due)
                return next
            }
            state.now = max(state.now, limit)
            return nil
        }
    }

    private func failEndless(_ what: String, _ place: TestPlace) {
        let running = runningWork.map { "    \($0)\n" }.joined()
        fail(
            """
            The scheduler \(what), and more work is pending: something schedules itself again without an end.

            \(running.isEmpty ? "" : "This runs on it:\n\n\(running)\n")End it, or move the clock by a fixed amount \
            with advance(by:).
            """, place)
    }
}
