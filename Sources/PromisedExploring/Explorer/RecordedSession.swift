internal import Promise
internal import PromisedRecording
internal import PromisedSystem

/// A recorded session up to a turn, in the types of its system.
struct RecordedSession<State: Codable & Sendable, Event: Codable & Sendable>: Sendable {
    private let past: RecordedPast
    private let recording: Recording
    private let name: String
    private let start: State
    /// The events of the steps, by their index.
    private let events: [Int: Event]
    /// The step with which paths begin, and the state before it.
    private var rest: (step: Int, state: State)?

    init(_ recording: Recording, _ name: String, _ turn: Int) throws(RecordingError) {
        past = try RecordedPast(recording, of: name, turn: turn)
        (self.recording, self.name) = (recording, name)
        start = try past.decode(past.start, as: State.self)
        var events: [Int: Event] = [:]
        for (index, step) in past.steps.enumerated() {
            if case .event(let event, _) = step.stimulus {
                events[index] = try past.decode(event, as: Event.self)
            }
        }
        self.events = events
    }

    /// The turn for reports.
    var place: String { "turn \(past.turn) of \(past.path)" }

    /// The given events, or else those that were sent after the turn.
    func eventsToSend(_ given: [Event]?) throws(RecordingError) -> [Event] {
        if let given { return given }
        var events: [Event] = []
        for event in past.laterEvents { events.append(try past.decode(event, as: Event.self)) }
        return events
    }

    /// - Parameter findsRest: Whether it is noted when nothing is in flight on the way.
    func build(
        _ build: @escaping Explorer<State, Event>.RecordedBuild, findsRest: Bool = false
    ) -> Explorer<State, Event>.Build {
        { [past, events, rest, start] world in
            let built = Lock<System<State, Event>?>(nil)
            world.core.start.exchange(
                for: RecordedStart(
                    past, skipping: rest?.step ?? 0, findsRest: findsRest,
                    send: { step in
                        guard let system = built.withLock({ $0 }), let event = events[step],
                            case .event(_, let policy) = past.steps[step].stimulus
                        else { return }
                        let own: EventPolicy? = system.policy(of: event)
                        system.sendEvent(event, policy: own == nil ? policy : nil)
                    },
                    // Of several keys, all delayed events were flushed.
                    flush: { keys in built.withLock({ $0 })?.flush(keys.count == 1 ? keys[0] : nil) }))
            let system = build(world, rest?.state ?? start)
            built.exchange(for: system)
            return system
        }
    }

    /// Takes the steps once, and compares the states.
    func check(
        _ run: ExplorationRun, _ numbers: ExplorationNumbers<State, Event>
    ) throws(RecordingError) {
        let news = run.record.takeNews()
        if case .otherScheduler = news.violation?.kind {
            throw .notRun(path: past.path, name: name, type: "System<\(State.self), \(Event.self)>")
        }
        if let problem = run.world.start.withLock({ $0 })?.problem {
            throw .notReached(path: past.path, turn: past.turn, reason: problem)
        }
        let states = numbers.states.values()
        try past.check([start] + news.shown.map { states[$0.state] }, recording, of: name)
    }

    /// Lets paths begin where nothing was in flight, as late as possible.
    mutating func skip(to run: ExplorationRun, _ numbers: ExplorationNumbers<State, Event>) {
        guard let (step, state) = run.world.start.withLock({ $0 })?.rest else { return }
        rest = (step, numbers.states.values()[state])
    }
}

extension RecordedPast {
    fileprivate func decode<Value: Decodable>(
        _ value: JSONValue, as type: Value.Type
    ) throws(RecordingError) -> Value {
        var repairs: [String] = []
        do {
            return try value.decode(type, repairs: &repairs)
        } catch {
            throw .notReached(
                path: path, turn: turn, reason: "\(value.shortText) is no \(type): \(error.description)")
        }
    }
}
