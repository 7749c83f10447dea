extension Explorer {
    /// The trace of a new path.
    ///
    /// - Parameters:
    ///   - events: The events that may be sent.
    ///   - ignored: The properties that are not checked.
    func trace(_ events: [Event], ignoring ignored: Set<String> = []) -> Trace<State, Event> {
        let numbers = Self.numbersByAge(ignored)
        return Trace(start(events, numbers), events, numbers, from: place)
    }

    /// Numbers that are different for each value.
    static func numbersByAge(_ ignored: Set<String>) -> ExplorationNumbers<State, Event> {
        ExplorationNumbers(states: .byAge(), events: .byAge(), Findings(nil, ignoring: ignored))
    }

    /// Replays the shortest violating path, or else the one on which the violation was found, to record its trace.
    func counterexample(
        of search: Search, _ numbers: ExplorationNumbers<State, Event>, _ known: Set<String>
    ) -> Counterexample<State, Event>? {
        if let path = search.deviation { return merged(path, search, numbers) }
        guard let failingPath = search.failingPath else { return cycle(of: search, known) }
        for path in [search.graph.shortestViolation(), failingPath].compactMap({ $0 }) {
            var trace = self.trace(events, ignoring: known)
            for words in search.words(for: path) { trace.take(words) }
            if let found = trace.counterexample { return sendingEarly(trace.taken, found) }
        }
        return merged(search.firstDeviation(on: failingPath) ?? failingPath, search, numbers)
    }

    /// The report of a path whose last step leads elsewhere than on another path.
    private func merged(
        _ path: [Search.TakenStep], _ search: Search, _ numbers: ExplorationNumbers<State, Event>
    ) -> Counterexample<State, Event> {
        let (other, differences) = search.counterpart(of: path)
        let paths = MergedPaths(
            first: entries(of: path, search), second: entries(of: other, search),
            differences: differences.map { name, first, second in
                .init(
                    name: name, first: first.map { text($0, numbers) },
                    second: second.map { text($0, numbers) })
            }, isSame: other == path)
        return Counterexample(property: "", trouble: .merged(paths), trace: paths.first, place: place)
    }

    /// Executes a path and records it.
    func entries(of path: [Search.TakenStep], _ search: Search) -> [TraceEntry<State, Event>] {
        var trace = self.trace(events)
        for words in search.words(for: path) { trace.take(words) }
        return trace.entries
    }

    private func text(
        _ texts: [ConfigurationParts.Text], _ numbers: ExplorationNumbers<State, Event>
    ) -> String {
        func text<Value>(_ number: Int, _ values: [Value]) -> String {
            values.indices.contains(number) ? StateText(values[number]).description : "?"
        }
        return texts.map { part in
            switch part {
            case .state(let number): text(number, numbers.states.values())
            case .event(let number): text(number, numbers.events.values())
            case .value(let number): numbers.findings.numbers?.text(number) ?? "?"
            case .plain(let text): text
            }
        }.joined(separator: ", ")
    }

    /// A fair cycle on which a property is never fulfilled; of several, the shortest.
    private func cycle(of search: Search, _ known: Set<String>) -> Counterexample<State, Event>? {
        guard let demands = search.demands else { return nil }
        let cycles = FairCycles(graph: search.graph, demands: demands)
        let found = demands.properties.enumerated().filter { !known.contains($0.element) }
            .compactMap { index, property in cycles.lasso(violating: index).map { (property, $0) } }
            .min { $0.1.steps.count < $1.1.steps.count }
        return found.map { property, lasso in
            var trace = self.trace(events, ignoring: known)
            for words in search.words(for: lasso.steps) { trace.take(words) }
            return trace.cycle(property, from: lasso.steps.count - lasso.cycle)
        }
    }
}
