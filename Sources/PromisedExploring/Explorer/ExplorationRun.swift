internal import Promise
public import PromisedSystem
internal import PromisedTesting

/// Runs one system along one path: executes steps, and lists those that are possible next.
@usableFromInline
final class ExplorationRun {
    let world: WorldCore
    let history: PathHistory
    let driver: Driver
    /// Whether a step was impossible that was possible when the same path was run before.
    private(set) var isNondeterministic = false
    /// Whether the last step scheduled work without a delay.
    private(set) var hasScheduledAtOnce = false

    /// Access to the system that does not depend on its state and event types.
    @usableFromInline
    struct Driver {
        let events: Int
        /// Sends the event at an index.
        let send: (Int) -> Void
        let position: () -> LoopSnapshot?
        /// The property that the shown state violates, given that no call or timer is pending.
        let violationAtRest: () -> Violation?
        let stop: () -> Void
        let memories: [FeedbackMemory]
        /// By index, the numbers of the events that are enqueued while a transition is running.
        let queueable: [Int: Int]

        @usableFromInline
        init(
            events: Int, queueable: [Int: Int], memories: [FeedbackMemory], send: @escaping (Int) -> Void,
            position: @escaping () -> LoopSnapshot?, violationAtRest: @escaping () -> Violation?,
            stop: @escaping () -> Void
        ) {
            (self.events, self.memories, self.send, self.position) = (events, memories, send, position)
            (self.violationAtRest, self.stop, self.queueable) = (violationAtRest, stop, queueable)
        }

        /// For a system that cannot be driven.
        @usableFromInline
        static func none(stop: @escaping () -> Void) -> Driver {
            Driver(
                events: 0, queueable: [:], memories: [], send: { _ in }, position: { nil },
                violationAtRest: { nil }, stop: stop)
        }
    }

    /// Starts the system and runs everything that is due at once.
    @usableFromInline
    init(_ world: WorldCore, _ history: PathHistory, _ driver: Driver) {
        (self.world, self.history, self.driver) = (world, history, driver)
        world.scheduler.advance()
        _ = world.scheduler.takeFiredTimers()
    }

    deinit {
        driver.stop()
        world.end()
        world.scheduler.advance()
    }

    // MARK: Steps

    /// Executes a step, with everything that is due at once.
    ///
    /// - Parameter order: The indices of the open calls, in the order in which moves count them; nil for the
    ///   order of `openCalls`.
    func take(_ move: Move, in order: [Int]? = nil) {
        let scheduler = world.scheduler
        let scheduled = scheduler.scheduledAtOnce
        scheduler.owner = 0
        switch move {
        case .send(let index): scheduler.runAsCurrent { driver.send(index) }
        case .answer(let index, let choice):
            guard let call = call(of: move, in: order), choice < call.count else {
                isNondeterministic = true
                return
            }
            let place = order?[index] ?? index
            scheduler.owner = call.owner
            history.answer(call.place, of: call.owner, with: choice)
            scheduler.runAsCurrent { world.answer(place, with: choice) }
        case .tick:
            guard let next = scheduler.timers.first else {
                isNondeterministic = true
                return
            }
            scheduler.advance(by: next.left)
            history.ring(scheduler.takeFiredTimers())
        }
        hasScheduledAtOnce = scheduled != scheduler.scheduledAtOnce
        if hasScheduledAtOnce { scheduler.advance() }
        _ = scheduler.takeFiredTimers()
    }

    /// Advances the clock, running everything that falls due.
    func advance(by duration: Duration) {
        world.scheduler.owner = 0
        world.scheduler.advance(by: duration)
        history.ring(world.scheduler.takeFiredTimers())
    }

    /// The moves that are possible next, in the order in which they are tried.
    func moves(in order: [Int]?) -> [Move] {
        var moves = (0..<driver.events).map { Move.send($0) }
        let calls = world.openCalls
        for index in calls.indices {
            for choice in 0..<calls[order?[index] ?? index].count { moves.append(.answer(index, choice)) }
        }
        if !world.scheduler.timers.isEmpty { moves.append(.tick) }
        return moves
    }

    /// A move as it is written in a script, in the current configuration; nil if the move is impossible.
    func words(of move: Move, in order: [Int]?) -> MoveWords? {
        switch move {
        case .send(let index): return index < driver.events ? .send(index) : nil
        case .answer(_, let choice):
            guard let call = call(of: move, in: order), choice < call.count else { return nil }
            return .answer(call.label, call.outcome(choice))
        case .tick: return world.scheduler.timers.first.map { .advance($0.left) }
        }
    }

    /// The move that these words mean in the current configuration; nil if it is impossible.
    func move(for words: MoveWords) -> Move? {
        switch words {
        case .send(let index): return .send(index)
        case .answer(let label, let outcome):
            return answer(outcome) { $0.label == label }
        case .advance: return .tick
        }
    }

    /// The move that answers the first matching call for which this outcome is left.
    func answer(_ outcome: String, where isMeant: (WorldCall) -> Bool) -> Move? {
        for (index, call) in world.openCalls.enumerated() where isMeant(call) {
            if let choice = call.choice(of: outcome) { return .answer(index, choice) }
        }
        return nil
    }

    /// The call that a move answers.
    func call(of move: Move, in order: [Int]?) -> WorldCall? {
        guard case .answer(let index, _) = move else { return nil }
        let calls = world.openCalls
        guard calls.indices.contains(index), order.map({ $0.count == calls.count }) ?? true else {
            return nil
        }
        return calls[order?[index] ?? index]
    }

    // MARK: Violations

    /// The property that the last step violated, or nil.
    func violation(in news: PathHistory.News) -> Violation? {
        if let violation = news.violation { return violation }
        guard world.openCalls.isEmpty, world.scheduler.timers.isEmpty else { return nil }
        let work = world.scheduler.openAsyncWork
        if !work.isEmpty, !world.hasSilentCalls {
            return Violation(
                property: "work stays on the scheduler", kind: .outside(work.map(\.description)))
        }
        if let position = driver.position(), position.turn != nil || !position.waiting.isEmpty {
            return Violation(
                property: "the queue drains",
                kind: .stuck(
                    running: position.turn.flatMap { _ in history.now.pastEvents.last },
                    waiting: position.waiting.map(\.event)))
        }
        return driver.violationAtRest()
    }
}

@available(*, unavailable)
extension ExplorationRun: Sendable {}

@available(*, unavailable)
extension ExplorationRun.Driver: Sendable {}
