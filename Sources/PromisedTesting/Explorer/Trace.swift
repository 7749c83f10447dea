internal import PromisedSystem

/// One path, gone step by step, with everything that is seen on the way.
struct Trace<State: Sendable, Event: Sendable> {
    private let run: ExplorationRun
    private let events: [Event]
    private let numbers = ExplorationNumbers<State, Event>(states: .byAge(), events: .byAge())
    private(set) var entries: [TraceEntry<State, Event>] = []
    /// The steps that were taken.
    private(set) var taken: [MoveWords] = []
    /// What was found to be broken.
    private(set) var violation: Violation?

    /// - Parameter events: What may be sent.
    init(_ explorer: Explorer<State, Event>, _ events: [Event]) {
        run = explorer.start(events, numbers)
        self.events = events
        violation = run.violation(in: run.account.takeNews())
    }

    /// - Parameter orSimilar: Whether another call of the same name will do.
    /// - Returns: Whether the step was possible.
    @discardableResult
    mutating func take(_ words: MoveWords, orSimilar: Bool = false) -> Bool {
        guard let move = run.move(for: words) ?? (orSimilar ? run.move(similarTo: words) : nil) else {
            return comesTooLate(words)
        }
        guard violation == nil else { return true }
        let words = if case .answer = words { run.words(of: move, in: nil) ?? words } else { words }
        let step = step(words)
        taken.append(words)
        if case .advance(let duration) = words { run.advance(by: duration) } else { run.take(move) }
        let news = run.account.takeNews()
        let states = numbers.states.values()
        entries.append(
            .init(
                step: step,
                shown: news.shown.map {
                    $0.isLoading ? .loading(states[$0.state]) : .settled(states[$0.state])
                },
                errors: news.errors.map { "\($0)" }))
        violation = run.violation(in: news)
        return true
    }

    /// An answer to a call that the system has cancelled is no news to it.
    private mutating func comesTooLate(_ words: MoveWords) -> Bool {
        guard case .answer(let label, _) = words, run.world.isWithdrawn(label) else { return false }
        entries.append(.init(step: step(words), shown: [], errors: []))
        return true
    }

    private func step(_ words: MoveWords) -> Step<Event> {
        switch words {
        case .send(let index): .send(events[index])
        case .answer(let call, let outcome): .answer(call, outcome)
        case .advance(let duration): .advance(by: duration)
        }
    }

    /// What may happen next.
    var possibleSteps: [MoveWords] { run.moves(in: nil).compactMap { run.words(of: $0, in: nil) } }

    /// The calls that are open, each with what it may come to.
    var openCalls: [String] {
        run.world.openCalls.map { call in
            "\(SourceText(call.label)): "
                + call.answers.map { SourceText($0.name()).description }.joined(separator: ", ")
        }
    }

    /// What was broken, and how.
    var counterexample: Counterexample<State, Event>? {
        violation.map { violation in
            let events = numbers.events.values()
            func text(_ event: Int) -> String { SourceText(events[event]).description }
            let trouble: Counterexample<State, Event>.Trouble =
                switch violation.kind {
                case .state(let state, let isAtRest): .state(state, isAtRest: isAtRest)
                case .stuck(let running, let waiting):
                    .stuck(running: running.map(text), waiting: waiting.map(text))
                }
            return Counterexample(property: violation.property, trouble: trouble, trace: entries)
        }
    }
}
