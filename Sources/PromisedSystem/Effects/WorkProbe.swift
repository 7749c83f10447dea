public import Promise

/// The scheduler of one run of an effect, while its system is observed.
@usableFromInline
package protocol RunScheduler: SerialScheduler {
    /// Called when the run sends an event or ends.
    func acts()
    /// Called when the run begins to send an event for each state of a system.
    ///
    /// - Parameter scheduler: That of the system.
    /// - Returns: Whether what it sends is to be sent as work of the run.
    func forwards(from scheduler: (any SerialScheduler)?) -> Bool
}

extension RunScheduler {
    @usableFromInline package func forwards(from scheduler: (any SerialScheduler)?) -> Bool { false }
}

/// Observes the feedbacks of a system and their work; called by the owner of the loop, in the order in which it handles
/// them.
///
/// For each run that has started, ``ended(_:_:)`` or ``cancelled(_:)`` is called once, unless the system is stopped
/// between its end and the handling of that.
@usableFromInline
package protocol WorkProbe: AnyObject, Sendable {
    /// The time, without counting as a read by the explored system's own code.
    var now: Duration { get }

    /// Called before a feedback is evaluated, with its index and the kind of its input.
    func evaluates(_ feedback: Int, forEvent: Bool)
    /// Called after that.
    func hasEvaluated()

    /// Identifies what the running evaluation of a feedback was given; it is stored in the requests that result.
    var occasion: Int { get }
    /// Identifies a payload, for work that depends on nothing else; nil if payloads of its type cannot be compared.
    func occasion(of payload: any Sendable) -> Int?
    /// The same for the value of a key.
    func occasion(ofKey key: EffectKey) -> Int?

    /// Called before a run of an effect starts.
    ///
    /// - Parameters:
    ///   - number: The number of the run, counted over the whole system.
    ///   - request: The number of its request, in the same count; a lower one if the request had to wait.
    ///   - place: What identifies its feedback, its element and its key.
    ///   - origin: Where its feedback was created.
    ///   - occasion: The occasion of its request.
    ///   - window: How long a throttle window of its key may stay open; nil without one.
    /// - Returns: The scheduler that the run uses.
    func starts(
        _ number: Int, of request: Int, _ place: [EffectKey], from origin: Origin, requestedAt occasion: Int,
        window: Duration?
    ) -> any RunScheduler
    /// Called when the code that starts a run has returned.
    func hasStarted()
    /// Called when a request is queued or delayed; it supersedes the delayed one of its key.
    func waits(_ request: Int, _ place: [EffectKey], from origin: Origin, window: Duration?)
    /// Called when the timer of a delayed request has fired.
    func timerFired(of request: Int)
    /// Called when a run has ended by itself, after its last event was noted. An error that it failed with while it was
    /// started is noted as that of the loop alone.
    func ended(_ number: Int, _ error: (any Error)?)
    /// Called when a run is cancelled, before its cancellation handlers.
    func cancelled(_ number: Int)

    /// Called before running effects receive an updated input.
    func updates(workOf runs: [Int])

    /// Called before running effects receive a value that another one broadcasts.
    func broadcasts(from number: Int, to runs: [Int])
}

extension SmallArray<EffectPlan> {
    func requested(at occasion: Int) -> SmallArray {
        guard contains(where: { $0.occasion == nil }) else { return self }
        return SmallArray(all.map { $0.requested(at: occasion) })
    }
}
