internal import Promise

/// Looks at the states of a running system, and controls it: shows earlier states, stops it, lets it process one event,
/// and continues from an earlier state.
///
/// ```swift
/// import PromisedRecording
///
/// let counter = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
/// let travel = TimeTravel(counter)
/// for number in 1...3 { counter.sendEvent(number) }
///
/// try travel.jump(to: 1)
/// print(counter.state)  // 1
/// print(try travel.difference(at: 3))  // 3 → 6
/// try travel.branch(from: 1)
/// counter.sendEvent(10)
/// print(counter.state)  // 11
/// ```
///
/// The reducer, feedbacks and middleware never see a state that is shown in place of the present one: behind it the
/// system continues, unless it is stopped as well.
///
/// In an exploration, a system that stays stopped, locked or overridden is a gap: what waits then is part of no
/// configuration.
///
/// Every function can be called from any thread. A state that is shown is readable at once, subscribers are notified on
/// the system's scheduler; what concerns the system itself happens there, between two turns. The system is not retained;
/// after its end there is nothing to control, and the history stays readable. When this is released, the system shows
/// its present state and continues. Use one for a system: two would undo each other's commands.
public final class TimeTravel<State: Sendable, Event: Sendable>: Sendable {
    /// A processed event, and the settled state after it.
    public struct Turn: Sendable {
        /// The number of the turn in this history, from 0 for the first state.
        public let index: Int
        /// The event, as middleware passed it on; nil for the first state.
        public let event: Event?
        /// The settled state when the turn was over: the one before, if the transition has failed.
        public let state: State
        /// Why the transition has failed; nil if it has not.
        public let error: (any Error)?
        /// When the turn was over, in the time of the system's scheduler.
        public let time: Duration
    }

    weak let system: System<State, Event>?
    let contents: Lock<TravelContents>
    let counts = HoldCounts()
    private let recording = Lock<SubscriptionToken?>(nil)

    struct TravelContents: Sendable {
        var history: TravelHistory
        var showing = TravelShowing.present
        /// Set while the system is stopped.
        var stopped: TravelCommand.Arriving?
        var isLocked = false
        var playing: Playing?
        var playNumber = 0
    }

    /// The running ``play(speed:)``: which one, the turn that it shows next, and its timer.
    struct Playing: Sendable {
        let number: Int
        let index: Int
        var work: ScheduledWork?
    }

    /// Keeps the history of a system from now on.
    ///
    /// - Parameters:
    ///   - system: The system. Each of its turns is observed from now on, which costs about as much as
    ///     `System.onLoop`.
    ///   - limit: How many of the latest turns are kept.
    public init(_ system: System<State, Event>, keeping limit: HistoryLimit = .last(1_000)) {
        self.system = system
        let first = Turn(
            index: 0, event: nil, state: system.stateBehindOverride, error: nil, time: system.now)
        contents = Lock(TravelContents(history: TravelHistory(limit, first)))
        let token = system.onLoop { [weak self] record in self?.append(record) }
        recording.exchange(for: token)
    }

    deinit {
        recording.exchange(for: nil)?.cancel()
        contents.withLock { $0.playing.take() }?.work?.cancel()
        system?.override(nil)
        system?.release()
    }

    private func append(_ record: LoopRecord<State, Event>) {
        let error: (any Error)?
        switch record.outcome {
        case .settled, .missed: error = nil
        case .failed(let failure): error = failure
        case .cancelled, .stopped, .dropped: return
        }
        let time = system?.now ?? .zero
        let past = contents.withLock { contents in
            contents.history.append(record.event, from: record.before, record.after, error, time)
        }
        withExtendedLifetime(past) {}
    }

    // MARK: Looking

    /// The numbers of the turns that are kept, from the oldest to the latest.
    public var indices: Range<Int> { contents.withLock { $0.history.indices } }

    /// The turns that are kept, oldest first.
    public var tail: [Turn] { Array(contents.withLock { $0.history.turns }) }

    /// A turn that is kept.
    public func turn(at index: Int) throws(TimeTravelError) -> Turn {
        let history = contents.withLock { $0.history }
        guard let turn = history[index] else { throw .unknownTurn(index, kept: history.indices) }
        return turn
    }

    /// The difference between the state of a turn and that of the turn before it.
    ///
    /// - Parameters:
    ///   - index: The number of a turn of which the one before is kept as well.
    ///   - limits: Bounds on the work and the output.
    public func difference(
        at index: Int, limits: StateDiff.Limits = .init()
    ) throws(TimeTravelError) -> StateDiff {
        let after = try turn(at: index)
        // Not by subtraction, which could overflow: a turn that is kept has a small number.
        return StateDiff(from: try turn(at: after.index - 1).state, to: after.state, limits: limits)
    }

    /// The state that readers of the system see.
    public var showing: TravelShowing { contents.withLock { $0.showing } }

    /// Whether the system processes what arrives.
    public var condition: TravelCondition {
        contents.withLock { $0.isLocked ? .locked : $0.stopped == nil ? .running : .stopped }
    }

    /// The number of pending events and answers of a stopped system.
    public var waiting: Int { counts.waiting }

    /// The number of events that were dropped because the system was stopped or locked. Each has a record with the
    /// outcome `LoopRecord.DropReason.withdrawn`.
    public var dropped: Int { counts.dropped }
}
