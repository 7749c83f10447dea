internal import PromisedSystem

// What the outside does next, according to the recording.
extension ReplayComparison {
    /// What the outside may have done before the next turn began.
    enum NextAction {
        case none, send, drop, flush
    }

    /// Where in the loop something happens.
    enum Moment {
        /// An event has arrived, and is enqueued next: no other one may be before.
        case arrival
        /// An event was dropped, or delayed ones were flushed: as behind an arrival, the loop looks for the next message.
        case between
        case turnEnd, other
    }

    func nextAction(at moment: Moment) -> NextAction {
        guard let fact = line?.fact, result.difference == nil else { return .none }
        // Before its state is committed, the event would replace the turn.
        if sendsNext { return isInTurn && committed == nil && fact.followsReducer ? .none : .send }
        if fact.isWithdrawal { return .drop }
        return moment != .other && awaitsOutside && fact.isFlush && mayBeTogether ? .flush : .none
    }

    /// Whether the next event may have arrived together with the one before: it waits.
    var isBatch: Bool { line?.fact.kind == .send && mayBeTogether }

    /// Whether the outside may have done the next line together with the one before: without work in between, and while
    /// no turn was in flight, or only one that was being replaced. The loop was not idle in between, as both follow a
    /// turn, or neither does.
    private var mayBeTogether: Bool {
        guard let fact = line?.fact, fact["j"] == nil, turns.isEmpty || isReplacing else { return false }
        return fact.followsTurn == followsTurn
    }

    /// The number of the event that is withdrawn next: by its sender, or by the outside with all that are pending.
    var droppedNext: UInt32? {
        guard let fact = line?.fact, fact.isWithdrawal, let id = fact["id"]?.int else { return nil }
        return UInt32(exactly: numbers.own(id, .event))
    }

    /// The next line, if the replay has to bring it about.
    var nextStimulus: ReplayLine? { awaitsOutside ? line : nil }
    /// Whether that is an event.
    var sendsNext: Bool { awaitsOutside && line?.steps.first == .sent }

    private var awaitsOutside: Bool {
        line?.isStimulus ?? false && !(line?.isInjected ?? true) && result.difference == nil
    }
}
