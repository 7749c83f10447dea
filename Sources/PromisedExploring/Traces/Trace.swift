internal import PromisedSystem

/// Runs one path step by step, and records everything that is seen on the way.
struct Trace<State: Sendable, Event: Sendable> {
    private let run: ExplorationRun
    private let events: [Event]
    private let numbers: ExplorationNumbers<State, Event>
    /// Where the path begins; nil for the start of the system.
    private let place: String?
    private(set) var entries: [TraceEntry<State, Event>] = []
    /// The state that was shown last; nil if the system cannot be observed.
    private var latest: State?
    /// The steps that were executed.
    private(set) var taken: [ScriptStep] = []
    /// The first violation of a property, or nil.
    private(set) var violation: Violation?
    /// By the number of a call, the step that opened it and its place among the calls opened by that step.
    private var openers: [Int: ScriptStep.Opener] = [:]

    /// - Parameters:
    ///   - run: The run to observe, at its start.
    ///   - events: The events that may be sent.
    ///   - numbers: Those of the run.
    ///   - place: Where the path begins; nil for the start of the system.
    init(
        _ run: ExplorationRun, _ events: [Event], _ numbers: ExplorationNumbers<State, Event>,
        from place: String?
    ) {
        (self.run, self.events, self.numbers, self.place) = (run, events, numbers, place)
        let (states, number) = (numbers.states.values(), run.record.latest.state)
        latest = states.indices.contains(number) ? states[number] : nil
        violation = run.violation(run.record.takeNews().violation)
        noteCalls(since: 0, of: nil)
    }

    /// - Returns: Whether the step was possible. After a violation, further steps are ignored and count as possible.
    @discardableResult
    mutating func take(_ words: MoveWords) -> Bool {
        if violation != nil { return true }
        guard let move = run.move(for: words) else { return comesTooLate(words) }
        take(move, words, id: taken.count)
        return true
    }

    /// Executes a step of a script from which other steps were removed, so that calls may have other labels now. A step
    /// that is no longer possible is skipped.
    ///
    /// - Parameter orOther: Whether to answer another call of the same label or name if the original one does not
    ///   exist.
    mutating func take(_ step: ScriptStep, orOther: Bool) {
        guard violation == nil, let move = move(for: step, orOther) else { return }
        take(move, step.words, id: step.id)
    }

    private mutating func take(_ move: Move, _ words: MoveWords, id: Int) {
        let call = run.call(of: move)
        let words = call == nil ? words : run.words(of: move) ?? words
        let step = step(words)
        taken.append(
            ScriptStep(
                id: id, words: words, opener: call.flatMap { openers[$0.number] }, call: call?.name))
        let opened = run.world.opened
        if case .advance(let duration) = words { run.advance(by: duration) } else { run.take(move) }
        noteCalls(since: opened, of: id)
        let news = run.record.takeNews()
        let states = numbers.states.values()
        entries.append(
            .init(
                step: step,
                shown: news.shown.map {
                    $0.isLoading ? .loading(states[$0.state]) : .settled(states[$0.state])
                },
                errors: news.errors.map { "\($0)" }, before: latest))
        latest = entries.last?.shown.last?.state ?? latest
        violation = run.violation(news.violation)
    }

    private mutating func noteCalls(since opened: Int, of step: Int?) {
        for number in opened..<run.world.opened {
            openers[number + 1] = ScriptStep.Opener(step: step, place: number - opened)
        }
    }

    /// The answer to the call that the same step opened in the original script.
    private func move(for step: ScriptStep, _ orOther: Bool) -> Move? {
        if case .send(let event) = step.words, !run.sends(event) { return nil }
        guard case .answer(_, let outcome) = step.words else { return run.move(for: step.words) }
        let move = run.answer(outcome) { openers[$0.number] == step.opener }
        guard move == nil, orOther else { return move }
        return run.move(for: step.words) ?? run.answer(outcome) { $0.name == step.call }
    }

    /// Records an answer to a call that the system has cancelled as a step without effect; false for any other step.
    private mutating func comesTooLate(_ words: MoveWords) -> Bool {
        guard case .answer(let label, _) = words, run.world.isWithdrawn(label) else { return false }
        entries.append(.init(step: step(words), shown: [], errors: [], before: latest))
        return true
    }

    func step(_ words: MoveWords) -> Step<Event> {
        switch words {
        case .send(let index): .send(events[index])
        case .answer(let call, let outcome): .answer(call, outcome)
        case .advance(let duration): .advance(by: duration)
        case .action(let name): .action(name)
        }
    }

    /// The steps that are possible next.
    var possibleSteps: [MoveWords] { possibleMoves.compactMap(words) }
    var possibleMoves: [Move] { run.moves }
    func words(of move: Move) -> MoveWords? { run.words(of: move) }

    /// The labels of the open calls, each with the outcomes that it has left.
    var openCalls: [String] {
        run.world.openCalls.map { call in
            "\(SourceText(call.label)): "
                + (0..<call.count).map { SourceText(call.outcome($0)).description }.joined(separator: ", ")
        }
    }

    /// The trace as that of a path of which the steps from an index on can repeat, and violate a property.
    func cycle(_ property: String, from first: Int) -> Counterexample<State, Event> {
        Counterexample(property: property, trouble: .cycle(from: first), trace: entries, place: place)
    }

    /// The violation with the trace that leads to it, or nil.
    var counterexample: Counterexample<State, Event>? {
        violation.map { violation in
            let events = numbers.events.values()
            func text(_ event: Int) -> String { SourceText(events[event]).description }
            let trouble: Counterexample<State, Event>.Trouble =
                switch violation.kind {
                case .state(let state, let isAtRest): .state(state, isAtRest: isAtRest)
                case .stuck(let running, let waiting):
                    .stuck(running: running.map(text), waiting: waiting.map(text))
                case .endless(let event): .endless(text(event))
                case .otherScheduler: .otherScheduler
                case .outside(let origins): .outside(origins)
                case .restless: .restless
                case .reason(let reason): .reason(reason)
                }
            return Counterexample(
                property: violation.property, trouble: trouble, trace: entries, place: place)
        }
    }
}
