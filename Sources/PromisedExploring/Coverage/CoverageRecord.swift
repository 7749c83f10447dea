internal import Promise

/// The coverage of the paths of an exploration so far.
struct CoverageRecord: Sendable {
    /// The outcomes of the calls of one name that have so many.
    struct Call: Sendable {
        let name: String
        let outcomes: [String]
        var answered: Set<Int> = []
    }

    /// The events that have changed something, by their numbers.
    private(set) var events: Set<Int> = []
    /// The feedbacks of the explored system, each with whether it has started something.
    private(set) var feedbacks: [(origin: Origin, hasStarted: Bool)] = []
    private(set) var calls: [Call] = []
    /// The names of the actions of the world.
    var actions: [String] = []

    mutating func add(_ event: Int) { events.insert(event) }

    mutating func add(_ origin: Origin, hasStarted: Bool) {
        guard let place = feedbacks.firstIndex(where: { $0.origin == origin }) else {
            return feedbacks.append((origin, hasStarted))
        }
        if hasStarted { feedbacks[place].hasStarted = true }
    }

    func knows(_ call: String, _ outcomes: Int) -> Bool { place(of: call, outcomes) != nil }

    private func place(of call: String, _ outcomes: Int) -> Int? {
        calls.indices.first { calls[$0].outcomes.count == outcomes && calls[$0].name == call }
    }

    mutating func add(_ call: Call) {
        if knows(call.name, call.outcomes.count) { return }
        calls.append(call)
    }

    mutating func answer(_ call: String, _ choice: Int, of outcomes: Int) {
        if let place = place(of: call, outcomes) { calls[place].answered.insert(choice) }
    }
}
