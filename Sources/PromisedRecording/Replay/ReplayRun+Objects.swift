internal import Promise
internal import PromisedSystem

// Actions of the outside on an object.
extension ReplayRun {
    /// Writes the recorded state.
    func write(_ replay: RunningReplay) {
        comparison.exclusive.line?.isInjected = true
        repeating("the state is written", replay) { repairs in
            guard let write = replay.system.write, let state = comparison.withLock({ $0.recordedState })
            else {
                return false
            }
            return write(try state.decodeAny(stateType, repairs: &repairs))
        }
    }

    /// Sends the event of a model.
    func post(_ fact: RecordedFact, _ replay: RunningReplay) {
        comparison.exclusive.line?.isInjected = true
        repeating("a model sends an event", replay) { repairs in
            guard let post = replay.system.post, let event = fact["e"] else { return false }
            return try post(
                fact["model"]?.string ?? "", fact["place"]?.string ?? "", fact["to"]?.int ?? 0
            ) { type in try event.decodeAny(type, repairs: &repairs) }
        }
    }

    private func repeating(_ what: String, _ replay: RunningReplay, _ body: (inout [String]) throws -> Bool) {
        var repairs: [String] = []
        do {
            let isDone = try replay.scheduler.runAsCurrent { try body(&repairs) }
            if !isDone { comparison.exclusive.differ(what, "that is not possible") }
        } catch {
            comparison.exclusive.differ(what, "it cannot be decoded: \(error)")
        }
        for repair in repairs { comparison.exclusive.values.note(repair) }
    }
}
