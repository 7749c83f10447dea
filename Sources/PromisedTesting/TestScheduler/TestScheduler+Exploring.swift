package import Promise
package import PromisedSystem

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
    package struct PendingTimer {
        /// The time until it fires.
        package let left: Duration
        package let work: ScheduledWork
        /// The work that has set it, and its number among the timers of that work; nil for one of a loop.
        package let owner: (any WorkOwner)?
        package let number: Int
    }

    /// Lets `observer` observe the scheduler, and ignores timers that serve only diagnostics.
    package func observe(by observer: (any SchedulerObserver)?) { state.withLock { $0.observer = observer } }

    package func created(_ system: any ExploredSystem) -> Bool {
        guard let observer = state.withLock({ $0.observer }) else {
            add(system)
            return false
        }
        observer.created(system)
        return true
    }

    /// The time, without counting as a read.
    package var unobservedNow: Duration { state.withLock { $0.now } }

    /// The time, without counting as a read; the pending timers, in the order in which they fire; and whether `async`
    /// work is open.
    package var clock: (now: Duration, timers: [PendingTimer], hasAsyncWork: Bool) {
        state.withLock { state in
            var timers: [PendingTimer] = []
            for entry in state.entries.reversed()
            where entry.work.isPending && !state.isExcluded(entry.work) {
                timers.append(
                    PendingTimer(
                        left: entry.due - state.now, work: entry.work, owner: entry.owner,
                        number: entry.timer ?? 0))
            }
            return (state.now, timers, !state.openWork.isEmpty)
        }
    }
}
