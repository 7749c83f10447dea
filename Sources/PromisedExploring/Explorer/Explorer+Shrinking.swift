extension Explorer {
    /// Shrinks a violating script until none of the remaining steps can be left out alone, and no event or outcome
    /// replaced by one that is listed earlier.
    func shortened(
        _ script: [ScriptStep], _ counterexample: Counterexample<State, Event>
    ) -> Counterexample<State, Event> {
        var found = (script: script, counterexample: counterexample)
        var place = script.count - 1
        var isShorter = false
        while place >= 0 {
            var shorter = found.script
            shorter.remove(at: place)
            if let result = result(of: shorter, violating: counterexample.property) {
                (found, isShorter) = (result, true)
                place = min(place, found.script.count)
            }
            place -= 1
            if place < 0, isShorter { (place, isShorter) = (found.script.count - 1, false) }
        }
        return simplified(found.script, found.counterexample)
    }

    /// Sends each event as early as the violation allows: a search enqueues no more events than it needs to.
    func sendingEarly(
        _ script: [ScriptStep], _ counterexample: Counterexample<State, Event>
    ) -> Counterexample<State, Event> {
        var found = (script: script, counterexample: counterexample)
        var place = 1
        while place < found.script.count {
            var earlier = found.script
            earlier.swapAt(place - 1, place)
            if earlier[place - 1].isSend, !earlier[place].isSend,
                let result = result(of: earlier, violating: counterexample.property),
                result.script.count == script.count
            {
                found = result
                place = max(place - 1, 1)
            } else {
                place += 1
            }
        }
        return found.counterexample
    }

    /// Replaces events and outcomes by earlier ones, as long as the script violates the same property.
    private func simplified(
        _ script: [ScriptStep], _ counterexample: Counterexample<State, Event>
    ) -> Counterexample<State, Event> {
        var found = (script: script, counterexample: counterexample)
        var place = 0
        while place < found.script.count {
            let simpler = simplerSteps(in: found.script, at: place).lazy.compactMap { words in
                var script = found.script
                script[place] = script[place].saying(words)
                return self.result(of: script, violating: counterexample.property)
            }.first
            if let simpler { found = simpler } else { place += 1 }
        }
        return found.counterexample
    }

    /// The violation at the end of a script, and the steps that were possible.
    private func result(
        of script: [ScriptStep], violating property: String
    ) -> (script: [ScriptStep], counterexample: Counterexample<State, Event>)? {
        for orOther in [false, true] {
            var trace = self.trace(events)
            for step in script { trace.take(step, orOther: orOther) }
            if let found = trace.counterexample, found.property == property { return (trace.taken, found) }
        }
        return nil
    }

    /// Steps of the same kind that are listed before a step: the first, and then ever nearer ones. A list may
    /// alternate, like that of integers, so that the next ones are not like this one.
    private func simplerSteps(in script: [ScriptStep], at place: Int) -> [MoveWords] {
        var trace = self.trace(events)
        for step in script[..<place] { trace.take(step, orOther: false) }
        let alike = trace.possibleSteps.filter { $0.isAlike(script[place].words) }
        guard let index = alike.firstIndex(of: script[place].words) else { return [] }
        let halves = sequence(first: index) { $0 / 2 }.prefix { $0 > 4 }
        return (halves + (1...4).reversed().filter { $0 <= index }).map { alike[index - $0] }
    }
}

extension ScriptStep {
    fileprivate var isSend: Bool { if case .send = words { true } else { false } }
}

extension MoveWords {
    /// Whether both send an event, or answer the same call.
    fileprivate func isAlike(_ other: MoveWords) -> Bool {
        switch (self, other) {
        case (.send, .send): true
        case (.answer(let call, _), .answer(let other, _)): call == other
        default: false
        }
    }
}
