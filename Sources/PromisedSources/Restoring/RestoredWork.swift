internal import Promise
internal import Foundation
public import PromisedSystem

/// The contents of a ``RestoredMachine``: its state, the events that are not processed yet, and the timers.
public final class RestoredWork<State: Codable & Sendable, Event: Codable & Hashable & Sendable>: Sendable {
    private struct RestoredState: Sendable {
        /// The state when the last turn was over: within a turn, the system's may already be that after the running
        /// event.
        var settled: State
        /// Sent and not begun, in order.
        var sent: [RestoredEvent] = []
        /// The turn that is running, or the last one.
        var turn: RestoredTurn?
        /// The running timers: when each began, as time of the scheduler, and how long it takes from then on.
        var timers: [String: RestoredTimer] = [:]
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

        /// The events to store: that of the running turn first.
        var events: [Event] {
            let running = turn.flatMap { $0.hasBegun && !$0.isOver ? $0.event : nil }
            return (running.map { [$0] } ?? []) + sent.map { $0.event }
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

    private struct RestoredEvent: Sendable {
        let number: Int
        let event: Event
        /// Distinguishes it from an equal event of a feedback.
        let origin: Origin
    }

    private struct RestoredTurn: Sendable {
        /// As it was sent.
        let event: Event
        /// Whether it is no longer among those that were sent.
        var hasBegun = false
        var isOver = false
    }

    private struct RestoredTimer: Sendable {
        /// Distinguishes it from others of its name.
        let number: Int
        let duration: Duration
        let rest: Duration
        let start: Duration
        let due: Date
    }

    typealias Saved = SavedMachine<State, Event>

    private let scheduler: any SerialScheduler
    private let policy: TimerRestoration
    private let now: @Sendable () -> Date
    private let content: Lock<RestoredState>
    private let storage = Lock<Source<Persistable<Saved>>?>(nil)

    init(
        _ scheduler: any SerialScheduler, _ policy: TimerRestoration, _ saved: Saved, sentAt origin: Origin,
        _ now: @escaping @Sendable () -> Date
    ) {
        (self.scheduler, self.policy, self.now) = (scheduler, policy, now)
        let sent = saved.events.enumerated().map { RestoredEvent(number: $0 + 1, event: $1, origin: origin) }
        content = Lock(
            RestoredState(settled: saved.state, sent: sent, restored: saved.timers, lastNumber: sent.count))
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

    /// Notes when a turn begins and ends. It belongs before all other middleware, as that can replace an event.
    public func middleware() -> Middleware<State, Event> {
        Middleware(
            isStateful: true,
            before: { [content] event, _ in
                // The replaced value is released outside of the lock, as it is of a user's type.
                let before = content.withLock { content in
                    defer { content.turn = RestoredTurn(event: event) }
                    return content.turn
                }
                return withExtendedLifetime(before) { .pass }
            },
            after: { [self] _, context in
                let state = context.state
                let before = content.withLock { content in
                    content.turn?.isOver = true
                    defer { content.settled = state }
                    return content.settled
                }
                withExtendedLifetime(before) { store() }
            })
    }

    // MARK: Events

    func begin(_ storage: Source<Persistable<Saved>>, _ system: System<State, Event>) {
        // Middleware is not given where an event was sent.
        _ = system.onTurn { [self] _, origin in turnBegins(origin) }
        system.onLoop { [self] record in
            switch record.outcome {
            case .stopped: turnBegins(record.origin)
            case .dropped: remove(record.event, record.origin) { _ in }
            default: break
            }
        }
        content.withLock { $0.turn?.hasBegun = true }
        self.storage.exchange(for: storage)
        if content.withLock({ $0.isOutdated }) { store() }
    }

    private func turnBegins(_ origin: Origin) {
        guard let event = content.withLock({ $0.turn?.event }) else { return }
        remove(event, origin) { $0.turn?.hasBegun = true }
    }

    func isSent(_ event: Event, _ origin: Origin) {
        content.withLock { $0.sent.append(RestoredEvent(number: $0.number(), event: event, origin: origin)) }
        store()
    }

    /// Removes the first equal event of the origin from those that were sent, and changes the rest in the same step.
    ///
    /// Events are compared and released outside of the lock, as they are of a user's type.
    private func remove(_ event: Event, _ origin: Origin, _ change: (inout RestoredState) -> Void) {
        while true {
            let found = content.withLock { $0.sent }.first { $0.origin == origin && $0.event == event }
            let isDone = content.withLock { content in
                if let found {
                    let index = content.sent.firstIndex { $0.number == found.number }
                    guard let index else { return false }
                    content.sent.remove(at: index)
                }
                change(&content)
                return true
            }
            withExtendedLifetime(found) {}
            if isDone { return store() }
        }
    }

    // MARK: Timers

    private func start(_ name: String, _ duration: Duration) -> RestoredTimer {
        let (instant, date) = (scheduler.now, now())
        let timer = content.withLock { content in
            let restored = content.restored.removeValue(forKey: name)
            let rest = restored.map { policy.rest(of: $0, at: date) } ?? duration
            let timer = RestoredTimer(
                number: content.number(), duration: duration, rest: rest, start: instant,
                due: date.addingTimeInterval(rest / .seconds(1)))
            content.timers[name] = timer
            return timer
        }
        store()
        return timer
    }

    private func stop(_ name: String, _ timer: RestoredTimer) {
        content.withLock { if $0.timers[name]?.number == timer.number { $0.timers[name] = nil } }
        store()
    }

    // MARK: Storing

    /// Stores the present content. If another thread is storing, it stores this as well, so that an older look never
    /// takes the place of a later one.
    private func store() {
        let storage = storage.withLock { $0 }
        let isFirst = content.withLock { content in
            content.isOutdated = true
            defer { content.isStoring = storage != nil }
            return !content.isStoring
        }
        guard isFirst, let storage else { return }
        while let saved = nextContent() { storage.value.set(saved) }
    }

    /// - Returns: Nil if all is stored; then this thread stores no more.
    private func nextContent() -> Saved? {
        let instant = scheduler.now
        return content.withLock { content in
            guard content.isOutdated else {
                content.isStoring = false
                return nil
            }
            content.isOutdated = false
            return Saved(
                state: content.settled, events: content.events, timers: content.timers(at: instant))
        }
    }
}
