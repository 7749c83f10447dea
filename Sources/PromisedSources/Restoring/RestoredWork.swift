internal import Promise
internal import Foundation
public import PromisedSystem

/// What a ``RestoredMachine`` stores beside its state: events that are not processed yet, and timers.
public final class RestoredWork<Event: Hashable & Sendable>: Sendable {
    private struct Content: Sendable {
        /// Sent and not begun, in order.
        var sent: [Event] = []
        /// The event whose transition is running, as it was sent.
        var running: Event?
        /// The running timers: when each began, as time of the scheduler, and how long it takes from then on.
        var timers: [String: Timer] = [:]
        /// The timers of the stored machine that have not been started again.
        var restored: [String: SavedTimer]
    }

    private struct Timer: Sendable {
        let duration: Duration
        let rest: Duration
        let start: Duration
        let due: Date
    }

    typealias Save = @Sendable ([Event], [String: SavedTimer]) -> Void

    private let scheduler: any SerialScheduler
    private let policy: TimerRestoration
    private let now: @Sendable () -> Date
    private let content: Lock<Content>
    private let save = Lock<Save?>(nil)

    init(
        _ scheduler: any SerialScheduler, _ policy: TimerRestoration, _ restored: [String: SavedTimer],
        _ now: @escaping @Sendable () -> Date
    ) {
        (self.scheduler, self.policy, self.now) = (scheduler, policy, now)
        content = Lock(Content(restored: restored))
    }

    /// Waits for a timer, which is stored while it runs. Cancelling the promise stops it.
    ///
    /// - Parameters:
    ///   - name: Identifies the timer in the machine. Another wait with the name begins it anew.
    ///   - duration: How long it takes, unless it was running in the stored machine.
    public func wait(_ name: String, _ duration: Duration) -> Promise<Void> {
        Promise { [self] resolver in
            let timer = start(name, duration)
            let work = scheduler.schedule(after: timer.rest) { [self] in
                stop(name)
                resolver.fulfill(())
            }
            resolver.onCancel { [self] in
                work.cancel()
                stop(name)
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
        content.withLock { $0.sent.append(event) }
        store()
    }

    private func begins(_ event: Event) {
        content.withLock { content in
            if let index = content.sent.firstIndex(of: event) { content.sent.remove(at: index) }
            content.running = event
        }
        store()
    }

    func ends(_ event: Event, isDropped: Bool) {
        content.withLock { content in
            guard isDropped else { return content.running = nil }
            if let index = content.sent.firstIndex(of: event) { content.sent.remove(at: index) }
        }
        store()
    }

    // MARK: Timers

    private func start(_ name: String, _ duration: Duration) -> Timer {
        let (instant, date) = (scheduler.now, now())
        let timer = content.withLock { content in
            let restored = content.restored.removeValue(forKey: name)
            let rest = restored.map { policy.rest(of: $0, at: date) } ?? duration
            let timer = Timer(
                duration: duration, rest: rest, start: instant,
                due: date.addingTimeInterval(rest / .seconds(1)))
            content.timers[name] = timer
            return timer
        }
        store()
        return timer
    }

    private func stop(_ name: String) {
        content.withLock { _ = $0.timers.removeValue(forKey: name) }
        store()
    }

    private func store() {
        guard let save = save.withLock({ $0 }) else { return }
        let instant = scheduler.now
        let (events, timers) = content.withLock { content in
            (
                (content.running.map { [$0] } ?? []) + content.sent,
                content.restored.merging(
                    content.timers.mapValues { timer in
                        SavedTimer(
                            duration: timer.duration,
                            remaining: max(.zero, timer.rest - (instant - timer.start)),
                            due: timer.due)
                    }, uniquingKeysWith: { $1 })
            )
        }
        save(events, timers)
    }
}
