internal import Promise
internal import Foundation
public import PromisedSystem

/// What a ``RestoredMachine`` stores beside its state: events that are not processed yet, and timers.
public final class RestoredWork<Event: Hashable & Sendable>: Sendable {
    private struct Content: Sendable {
        /// Sent and not begun, in order.
        var sent: [Sent] = []
        /// The event whose transition is running, as it was sent.
        var running: Event?
        /// The running timers: when each began, as time of the scheduler, and how long it takes from then on.
        var timers: [String: Timer] = [:]
        /// The timers of the stored machine that have not been started again.
        var restored: [String: SavedTimer]
        /// Counts the events and the timers.
        var lastNumber = 0
        /// Whether a thread is storing, and whether there was a change since it has looked.
        var isStoring = false
        var isOutdated = false

        mutating func number() -> Int {
            lastNumber += 1
            return lastNumber
        }

        func timers(at instant: Duration) -> [String: SavedTimer] {
            let running = timers.mapValues { timer in
                SavedTimer(
                    duration: timer.duration,
                    remaining: max(.zero, timer.rest - (instant - timer.start)), due: timer.due)
            }
            return restored.merging(running) { $1 }
        }
    }

    private struct Sent: Sendable {
        let number: Int
        let event: Event
    }

    private struct Timer: Sendable {
        /// Distinguishes it from others of its name.
        let number: Int
        let duration: Duration
        let rest: Duration
        let start: Duration
        let due: Date
    }

    /// Takes what is to be stored, under a lock, and returns a closure that stores it.
    typealias Save = @Sendable ([Event], [String: SavedTimer]) -> @Sendable () -> Void

    private let scheduler: any SerialScheduler
    private let policy: TimerRestoration
    private let now: @Sendable () -> Date
    private let content: Lock<Content>
    private let save = Lock<Save?>(nil)

    init(
        _ scheduler: any SerialScheduler, _ policy: TimerRestoration, _ sent: [Event],
        _ restored: [String: SavedTimer], _ now: @escaping @Sendable () -> Date
    ) {
        (self.scheduler, self.policy, self.now) = (scheduler, policy, now)
        content = Lock(
            Content(
                sent: sent.enumerated().map { Sent(number: $0 + 1, event: $1) }, restored: restored,
                lastNumber: sent.count))
    }

    /// Waits for a timer, which is stored while it runs. Cancelling the promise stops it.
    ///
    /// - Parameters:
    ///   - name: Identifies the timer in the machine. Another wait with the name restarts it.
    ///   - duration: How long it takes, unless it was running in the stored machine.
    public func wait(_ name: String, _ duration: Duration) -> Promise<Void> {
        Promise { [self] resolver in
            let timer = start(name, duration)
            let work = scheduler.schedule(after: timer.rest) { [self] in
                stop(name, timer)
                resolver.fulfill(())
            }
            resolver.onCancel { [self] in
                work.cancel()
                stop(name, timer)
            }
        }
    }

    /// Notes which event's transition is running. It belongs before all other middleware, as that can replace an event.
    public func middleware<State: Sendable>() -> Middleware<State, Event> {
        Middleware(before: { [self] event, _ in
            begins(event)
            return .pass
        })
    }

    // MARK: Events

    func begin(_ save: @escaping Save) { self.save.exchange(for: save) }

    func isSent(_ event: Event) {
        content.withLock { $0.sent.append(Sent(number: $0.number(), event: event)) }
        store()
    }

    private func begins(_ event: Event) {
        remove(event) { content in
            defer { content.running = event }
            return content.running
        }
        store()
    }

    func isDropped(_ event: Event) {
        remove(event) { _ in nil }
        store()
    }

    /// - Parameter settle: Called together with the end of the running event; returns what it has replaced.
    func ends<State>(_ settle: () -> State) {
        let before = content.withLock { ($0.running.take(), settle()) }
        withExtendedLifetime(before) {}
        store()
    }

    /// Removes the first equal event from those that were sent, and changes the rest in the same step.
    ///
    /// Events are compared and released outside of the lock, as they are of a user's type.
    private func remove(_ event: Event, _ change: (inout Content) -> Event?) {
        while true {
            let found = content.withLock { $0.sent }.first { $0.event == event }
            let (isDone, before) = content.withLock { content -> (Bool, Event?) in
                if let found {
                    let index = content.sent.firstIndex { $0.number == found.number }
                    guard let index else { return (false, nil) }
                    content.sent.remove(at: index)
                }
                return (true, change(&content))
            }
            withExtendedLifetime((found, before)) {}
            if isDone { return }
        }
    }

    // MARK: Timers

    private func start(_ name: String, _ duration: Duration) -> Timer {
        let (instant, date) = (scheduler.now, now())
        let timer = content.withLock { content in
            let restored = content.restored.removeValue(forKey: name)
            let rest = restored.map { policy.rest(of: $0, at: date) } ?? duration
            let timer = Timer(
                number: content.number(), duration: duration, rest: rest, start: instant,
                due: date.addingTimeInterval(rest / .seconds(1)))
            content.timers[name] = timer
            return timer
        }
        store()
        return timer
    }

    private func stop(_ name: String, _ timer: Timer) {
        content.withLock { if $0.timers[name]?.number == timer.number { $0.timers[name] = nil } }
        store()
    }

    // MARK: Storing

    /// Stores the present content. If another thread is storing, it stores this as well, so that an older look never
    /// takes the place of a later one.
    private func store() {
        guard let save = save.withLock({ $0 }) else { return }
        let isFirst = content.withLock { content in
            content.isOutdated = true
            defer { content.isStoring = true }
            return !content.isStoring
        }
        guard isFirst else { return }
        while let write = nextWrite(save) { write() }
    }

    /// - Returns: Nil if all is stored; then this thread stores no more.
    private func nextWrite(_ save: Save) -> (@Sendable () -> Void)? {
        let instant = scheduler.now
        return content.withLock { content in
            guard content.isOutdated else {
                content.isStoring = false
                return nil
            }
            content.isOutdated = false
            let events = (content.running.map { [$0] } ?? []) + content.sent.map(\.event)
            return save(events, content.timers(at: instant))
        }
    }
}
