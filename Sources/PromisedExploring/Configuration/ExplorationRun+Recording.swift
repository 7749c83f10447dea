internal import PromisedRecording
internal import PromisedTesting

extension ExplorationRun {
    /// Repeats what the outside did in a recorded session.
    func follow(_ start: RecordedStart) {
        let steps = start.past.steps
        for index in steps.indices.dropFirst(start.skipped) {
            if start.findsRest, isRestorable, let rest = configuration?.rest, rest.variables.isEmpty {
                start.rests(before: index, in: rest.state)
            }
            if let problem = take(steps[index], index, start) { return start.reaches(problem) }
        }
        start.reaches(nil)
        for call in world.callsWithoutOutcomes where call.recorded != nil {
            record.add(
                Violation(
                    property: "the outcomes of \(call.name) are declared",
                    kind: .reason(
                        "the recording has no answer to a call in flight. Declare them with world.outcomes(of:)"
                    )))
        }
    }

    /// - Returns: Why the step is not possible; otherwise nil.
    private func take(_ step: RecordedPast.PastStep, _ index: Int, _ start: RecordedStart) -> String? {
        let due = moveClock(to: step.time)
        switch step.stimulus {
        case .event: perform { start.send(index) }
        case .flush(let keys): perform { start.flush(keys) }
        // One that was due at the time of another one has fired with that.
        case .timer: if let due { advance(by: due) }
        case .answer(let call):
            let move = moment.calls.indices.lazy.map { Move.answer($0, 0) }
                .first { self.call(of: $0)?.recorded == call }
            guard let move else {
                return "'\(start.past.calls[call].name)' was answered, and is not called now"
            }
            take(move)
        }
        return nil
    }

    /// Advances the clock, but not to the next timer: timers fire when they have fired in the recording, which may have
    /// been later than they were due.
    ///
    /// - Returns: The time left until a timer that is due by then; nil if there is none.
    private func moveClock(to time: Duration) -> Duration? {
        let (left, next) = (time - world.scheduler.unobservedNow, moment.timers.first?.left)
        guard let next, next <= left else {
            if left > .zero { advance(by: left) }
            return nil
        }
        let least = min(next, .nanoseconds(1))
        if next > least { advance(by: next - least) }
        return least
    }
}
