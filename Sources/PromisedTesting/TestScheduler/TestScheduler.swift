public import Promise
import PromisedSystem

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
/// outside virtual time, and so is `Task.sleep`, which uses a real clock: await a promise with a delay instead, or wait
/// for such work: see ``asyncWorkLimit``.
public final class TestScheduler: SerialScheduler {
    struct ScheduledItem {
        let due: Duration
        let work: ScheduledWork
        /// The work of an explored system that scheduled it, and which of its timers it is; nil without a delay.
        let owner: (any WorkOwner)?
        let timer: Int?
    }

    struct Agenda {
        var now: Duration = .zero
        // Sorted by due time, then by age, in descending order: removing the next one from the end is O(1).
        var entries: [ScheduledItem] = []
        var openWork: [Int: Origin] = [:]
        var lastOpened = 0
        var asyncWorkLimit = Duration.seconds(1)
        /// Runs when something is scheduled, or `async` work has ended; set while a test waits.
        var waiter: ScheduledWork?
        /// Set only while systems are explored.
        var observer: (any SchedulerObserver)?
        var systems: [SystemReference] = []
        /// Answers the calls of endpoints: the stubs, or an exploration.
        var callHost: (any CallHost)?
        /// The count of systems at which released ones are removed.
        var sweepSystemsAt = 64

        /// The count of entries at which cancelled ones are removed.
        var sweepAt = 64

        mutating func insert(_ entry: ScheduledItem) {
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

        /// When the next work is due, apart from timers that serve only diagnostics; nil if there is none.
        var nextDue: Duration? { entries.last { $0.work.isPending && !$0.work.isFor(.report) }?.due }
    }

    let state = Lock(Agenda())

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
        changeAndWake {
            $0.insert(
                ScheduledItem(
                    due: $0.now.later(by: max(delay, .zero)), work: scheduled, owner: owner, timer: timer))
        }
        return scheduled
    }

    /// The number of pending work items, without those that were cancelled, and without the timers by which systems
    /// notice that a transition takes too long.
    public var pendingCount: Int {
        state.withLock { $0.entries.count { $0.work.isPending && !$0.work.isFor(.report) } }
    }

    /// Changes the state, and resumes the test if it waits for `async` work.
    func changeAndWake(_ change: (inout Agenda) -> Void) {
        let waiter = state.withLock { state in
            change(&state)
            return state.waiter.take()
        }
        waiter?.run()
    }
}
