/// The state machine of ``Listener``: buffers updates and decides which call of `next()` gets them, without lock or
/// task.
///
/// ```
///   idle ──begin──▶ listening ──outcome consumed──▶ finished
///     └──────────────┴──────────stop──────────────▶ finished
/// ```
struct Listening<Value: Sendable>: Sendable {
    typealias Continuation = CheckedContinuation<ValueBox<Value>?, any Error>

    /// The reply to a call of `next()`: a result now, or suspend until one arrives.
    enum Answer {
        case now(Result<ValueBox<Value>?, any Error>)
        case later
    }

    /// A suspended task and the result to resume it with; call it outside the lock.
    struct Wake {
        let continuation: Continuation
        let result: Result<ValueBox<Value>?, any Error>

        func callAsFunction() { continuation.resume(with: result) }
    }

    private enum Phase { case idle, listening, finished }

    private var phase = Phase.idle
    private var buffer = Deque<ValueBox<Value>>()
    /// How the iteration ends after the buffer has been consumed; nil before the outcome arrives.
    private var end: Result<ValueBox<Value>?, any Error>?
    private var suspended: Continuation?
    private var observation: Observation?

    /// Returns true for the first caller only, which must then observe the promise.
    mutating func begin() -> Bool {
        guard phase == .idle else { return false }
        phase = .listening
        return true
    }

    /// Stores the observation; returns it, to be cancelled, if the iteration has finished in the meantime.
    mutating func keep(_ observation: Observation) -> Observation? {
        guard phase == .listening else { return observation }
        if end == nil { self.observation = observation }
        return nil
    }

    mutating func receive(_ update: Update<Value>) -> Wake? {
        guard phase == .listening else { return nil }
        switch update {
        case .interim(let box), .outcome(.fulfilled(let box)): buffer.append(box)
        case .outcome(.rejected): break
        }
        if case .outcome(let outcome) = update {
            end = outcome.failure.map { .failure($0.error) } ?? .success(nil)
            observation = nil
        }
        guard let suspended, let result = dequeue() else { return nil }
        self.suspended = nil
        return Wake(continuation: suspended, result: result)
    }

    /// Dequeues a result for the caller of `next()`; if there is none, stores `continuation` to be resumed later.
    mutating func answer(_ continuation: Continuation? = nil) -> Answer {
        if let result = dequeue() { return .now(result) }
        if let continuation {
            precondition(
                suspended == nil,
                "next() was called while another call on the same iterator was suspended: use one per task.")
            suspended = continuation
        }
        return .later
    }

    private mutating func dequeue() -> Result<ValueBox<Value>?, any Error>? {
        if let box = buffer.popFirst() { return .success(box) }
        if let end {
            (phase, self.end) = (.finished, nil)
            return end
        }
        return phase == .finished ? .success(nil) : nil
    }

    /// What a stopped listener held: to be resumed, cancelled and released outside the lock.
    struct Released {
        var wake: Wake?
        var observation: Observation?
        var unconsumed: Deque<ValueBox<Value>>
    }

    /// Ends the iteration and discards the buffer. An error is thrown by the suspended call of `next()`, or else by
    /// the next call. Returns nil if the iteration has already finished.
    mutating func stop(with end: Result<ValueBox<Value>?, any Error>) -> Released? {
        guard phase != .finished else { return nil }
        let wake = suspended.map { Wake(continuation: $0, result: end) }
        let released = Released(wake: wake, observation: observation, unconsumed: buffer)
        self = Listening()
        phase = .finished
        if case .failure = end, wake == nil { self.end = end }
        return released
    }
}
