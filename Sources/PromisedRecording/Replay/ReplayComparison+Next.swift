internal import PromisedSystem

// What the outside does next, according to the recording.
extension ReplayComparison {
    /// What the outside may have done before the next turn began.
    enum NextAction {
        case none, send, drop, flush
    }

    /// - Parameter isBetween: Whether the loop looks for the next message or event.
    func nextAction(isBetween: Bool) -> NextAction {
        if sendsNext { return .send }
        guard let fact = line?.fact, result.difference == nil else { return .none }
        if fact.isWithdrawal { return .drop }
        return isBetween && awaitsOutside && fact.isFlush && fact["j"] == nil && awaitsNoTurn ? .flush : .none
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
