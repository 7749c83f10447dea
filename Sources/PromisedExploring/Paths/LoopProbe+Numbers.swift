public import PromisedSystem

extension LoopProbe {
    /// Translates what happens in a loop into numbers, for the record of an exploration.
    ///
    /// - Parameters:
    ///   - shown: Called with each shown state, and whether it is a loading one.
    ///   - begun: Called with each event at the beginning of its turn.
    @inlinable
    convenience init(
        record: SystemRecord, _ numbers: Numbering, shown: @escaping @Sendable (State, Bool) -> Void,
        begun: @escaping @Sendable (Event) -> Void
    ) {
        self.init(record, numbers: numbers) { fact in
            switch consume fact {
            case .sent, .delayEnded: record.usesQueue()
            case .entersMiddleware(let events, let state, let isAfterTurn, let isStateful):
                record.entersMiddleware(
                    events: events.map(numbers.event),
                    state: record.knownState ?? numbers.state(state.value),
                    isAfterTurn: isAfterTurn, isStateful: isStateful)
            case .leavesMiddleware: record.leavesMiddleware()
            case .begins(let turn, let state):
                record.begins(
                    event: numbers.event(turn.event), state: record.knownState ?? numbers.state(state.value))
                begun(turn.event)
            case .hasReduced: record.hasReduced()
            case .shows(let box, let kind):
                let state = box.value
                record.shows(state: numbers.state(state), isLoading: kind == .interim)
                shown(state, kind == .interim)
            case .written(_, _, _, _, _, let after):
                let state = after.value
                record.shows(state: numbers.state(state), isLoading: false)
                shown(state, false)
            case .ends: record.endsTurn()
            case .failed(let error, _), .failedApart(let error, _): record.path.fails(error)
            case .dropped(let entry, .runaway): record.exceedsCascade(event: numbers.event(entry.event))
            case .read(let settled, let interim, let history):
                record.reads(
                    settled: numbers.state(settled.value), interim: interim.map { numbers.state($0.value) },
                    history: history.map { $0.map(numbers.state) })
            case .queue(.access): record.accessesQueue()
            case .queue(.wait): record.waitsForEnd()
            case .queue(.end): record.endsWaiting()
            case .attached, .dropped, .pends, .timedOut, .held: break
            }
        }
    }
}
