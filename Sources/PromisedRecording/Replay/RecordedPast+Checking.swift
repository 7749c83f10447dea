extension RecordedPast {
    /// Compares the states that a program has shown on the way to the turn with the recorded ones. The program may have
    /// come further, as what followed from the last step may have been late in the recording.
    ///
    /// - Parameters:
    ///   - shown: All of them, the first one included.
    ///   - recording: That of the past.
    ///   - name: The name of the system in the recording.
    package func check<State: Codable & Sendable>(
        _ shown: [State], _ recording: Recording, of name: String
    ) throws(RecordingError) {
        func fail(_ turn: Int, _ reason: String) -> RecordingError {
            .notReached(path: path, turn: self.turn, reason: "at turn \(turn), the state \(reason)")
        }
        var agreement = ValueAgreement(.fields, RecordedProperties(recording: recording, system: name))
        // A state that is shown several times in a row counts as one.
        var own: [JSONValue] = []
        for state in shown {
            let json = CodedValue(state).json ?? .null
            if own.last != json { own.append(json) }
        }
        var (last, count) = (start, 1)
        for (index, state) in states.enumerated() {
            let isDue = index < stateCount
            guard let recorded = state.value else {
                if isDue { throw fail(state.turn, "is not known") }
                return
            }
            if recorded == last { continue }
            guard count < own.count else {
                if isDue {
                    throw fail(state.turn, "is \(own.last?.shortText ?? ""), not \(recorded.shortText)")
                }
                return
            }
            guard agreement.agree(recorded, own[count], as: State.self, isState: true) else {
                throw fail(state.turn, "is \(own[count].shortText), not \(recorded.shortText)")
            }
            (last, count) = (recorded, count + 1)
        }
    }
}
