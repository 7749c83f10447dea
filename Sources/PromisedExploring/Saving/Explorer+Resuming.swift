extension Explorer {
    /// Continues a saved exploration, perhaps of another process, exactly as
    /// ``Exploration/continued(depth:_:onProgress:)`` would have done. Known configurations are not expanded again, except
    /// for the steps at which a value appeared first.
    ///
    /// The explorer must be the one whose exploration was saved: the same program, with the same events. A change is
    /// noticed if it has led to other configurations or states, not if it will do so later: explore from the start
    /// after a change. Of states that count as equal by a view (``viewed(by:isExact:)``), another one may be the first.
    ///
    /// - Parameters:
    ///   - path: The path of a file that ``Exploration/save(to:)`` has written.
    ///   - depth: The maximum number of steps of a path; that of the saved exploration if it is greater.
    ///   - options: The limits of the further exploration, as for ``Exploration/continued(depth:_:onProgress:)``.
    ///   - onProgress: Invoked synchronously after every 10,000 transitions. If nil, prints to standard error where
    ///     that is a terminal.
    /// - Throws: An error that names the file, and says the reason and the remedy: it cannot be read, is none of
    ///   this version, is damaged, or belongs to another program.
    public func resume(
        from path: String, depth: Int = 0, _ options: ExplorationOptions = .init(),
        onProgress: ((ExplorationProgress) -> Void)? = nil
    ) throws -> Exploration<State, Event> {
        let saved = try Checkpoint(path: path)
        guard let numbers = numbersAgain(saved) else {
            throw CheckpointProblem(
                """
                The saved exploration \(path) does not fit: the program has changed since, sends other events or has other \
                properties, or it does not do the same each time (objects that are equal only to themselves, the order \
                of a set or a dictionary, the date). Explore from the start, and save it again.
                """)
        }
        var bounds = saved.bounds
        bounds.depth = max(depth, bounds.depth)
        bounds.limit(by: options)
        return explore(bounds, continuing: (numbers, saved.memory), onProgress)
    }

    /// Numbers as they were when the exploration was saved; nil for another program.
    private func numbersAgain(_ saved: Checkpoint) -> ExplorationNumbers<State, Event>? {
        guard let log = saved.memory.log, saved.hasEvents(events) else { return nil }
        let numbers = makeNumbers(.equalConfigurations, [])
        let findings = numbers.findings
        guard findings.numbers != nil, findings.hasView == saved.hasView else { return nil }
        findings.begin(saved.bounds.dependencies)
        var search = Search(
            makeRun: { start(events, numbers) }, drawsMap: false, saved.bounds, findings,
            continuing: saved.memory, onProgress: { _ in })
        guard search.repeatNumbering(log), findings.notes.properties == saved.properties,
            Checkpoint.fingerprint(of: numbers.states.values(), hasView: saved.hasView) == saved.states
        else { return nil }
        findings.notes = saved.notes.notes(findings.notes)
        return numbers
    }
}

extension Checkpoint {
    /// Whether these are the events of the saved exploration, as far as their texts show.
    fileprivate func hasEvents(_ other: [some Any]) -> Bool {
        events.map(Self.sortedText) == other.map { Self.sortedText(SourceText($0).description) }
    }
}
