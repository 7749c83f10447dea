/// What a listener knows and what it has to do next: the rules of ``Listener``, without lock or task.
///
/// ```
///   idle ──begin──▶ listening ──the outcome, taken──▶ over
///     └──────────────┴──────────stop────────────────▶ over
/// ```
struct Listening<Value: Sendable>: Sendable {
    typealias Continuation = CheckedContinuation<ValueBox<Value>?, any Error>

    /// What the caller of `next()` gets, and when.
    enum Answer {
        case now(Result<ValueBox<Value>?, any Error>)
        case later
    }

    /// A task to wake up; outside the lock.
    struct Wake {
        let continuation: Continuation
        let result: Result<ValueBox<Value>?, any Error>

        func callAsFunction() { continuation.resume(with: result) }
    }

    private enum Phase { case idle, listening, over }

    private var phase = Phase.idle
    private var waiting = Deque<ValueBox<Value>>()
    /// How the iteration ends when all that is waiting has been taken.
    private var end: Result<ValueBox<Value>?, any Error>?
    private var sleeper: Continuation?
    private var observation: Observation?

    /// True for the first caller, who then begins to observe.
    mutating func begin() -> Bool {
        guard phase == .idle else { return false }
        phase = .listening
        return true
    }

    /// Keeps the observation; returns it when it is not wanted any more.
    mutating func keep(_ observation: Observation) -> Observation? {
        guard phase == .listening else { return observation }
        if end == nil { self.observation = observation }
        return nil
    }

    mutating func receive(_ update: Update<Value>) -> Wake? {
        guard phase == .listening else { return nil }
        switch update {
        case .interim(let box), .outcome(.fulfilled(let box)): waiting.append(box)
        case .outcome(.rejected): break
        }
        if case .outcome(let outcome) = update {
            end = outcome.failure.map { .failure($0.error) } ?? .success(nil)
            observation = nil
        }
        guard let sleeper, let result = take() else { return nil }
        self.sleeper = nil
        return Wake(continuation: sleeper, result: result)
    }

    /// What is there for the caller of `next()`; else `continuation`, if any, waits for it.
    mutating func answer(_ continuation: Continuation? = nil) -> Answer {
        if let result = take() { return .now(result) }
        if let continuation {
            precondition(sleeper == nil, "An iterator of updates was asked for two values at a time.")
            sleeper = continuation
        }
        return .later
    }

    private mutating func take() -> Result<ValueBox<Value>?, any Error>? {
        if let box = waiting.popFirst() { return .success(box) }
        if let end {
            (phase, self.end) = (.over, nil)
            return end
        }
        return phase == .over ? .success(nil) : nil
    }

    /// What a stopped listener has to let go of; outside the lock.
    struct Remains {
        var wake: Wake?
        var observation: Observation?
        var untaken: Deque<ValueBox<Value>>
    }

    /// Ends the iteration; what has not been taken is let go of. An error is thrown by the call of `next()` that
    /// waits, or by the next one.
    mutating func stop(with end: Result<ValueBox<Value>?, any Error>) -> Remains? {
        guard phase != .over else { return nil }
        let wake = sleeper.map { Wake(continuation: $0, result: end) }
        let remains = Remains(wake: wake, observation: observation, untaken: waiting)
        self = Listening()
        phase = .over
        if case .failure = end, wake == nil { self.end = end }
        return remains
    }
}
