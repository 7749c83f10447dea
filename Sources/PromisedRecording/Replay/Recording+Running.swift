public import Promise
public import PromisedSystem

/// The beginning of a system that is run again.
public struct ReplayStart<State: Sendable>: Sendable {
    /// The state that the recording begins with.
    public let state: State
    /// The scheduler of the system: it has the times of the recording, and answers calls of endpoints as recorded.
    public let scheduler: any SerialScheduler

    @usableFromInline
    init(state: State, scheduler: any SerialScheduler) { (self.state, self.scheduler) = (state, scheduler) }
}

extension Recording {
    /// Runs a recorded system again with the program as it is now, and compares both.
    ///
    /// ```swift
    /// import PromisedRecording
    /// import PromisedSystem
    ///
    /// func check(_ path: String) throws {
    ///     let result = try Recording(contentsOf: path).run(Int.self, Int.self, as: "counter") { start in
    ///         System(initialState: start.state, scheduler: start.scheduler, reducer: { .value($0 + $1) })
    ///     }
    ///     print(result)
    /// }
    /// ```
    ///
    /// The events that were sent from outside are sent again, timers fire when they have fired, and calls of endpoints
    /// get their recorded answers; no endpoint's function is called. Everything else has to come about: events of
    /// effects and middleware, states, interim states, outcomes, calls and their inputs, effects, timers. The first
    /// difference ends the run. Where facts are missing in the recording, or time travel was in control, the run continues
    /// from the next full state at which nothing is in flight. The order of the elements of a set does not count.
    ///
    /// Work that asks the outside without an `Endpoint` does so again, and a result that comes later than the rest of
    /// the work counts as missing. Keep such work out of a recorded system.
    ///
    /// On one thread, in virtual time, a program does the same each time. What several threads did at once in a
    /// recording, such as sending events while `async` work ran, is brought about in the recorded order as far as
    /// possible; where it is not, the difference is one of order.
    ///
    /// An event whose sender gave a policy gets the one that the configuration decides on, if that decides.
    ///
    /// - Parameters:
    ///   - state: The type of the states; a recorded state of an older version is read as ``Playback/repairs`` says.
    ///   - event: The type of the events.
    ///   - name: The name of the system in the recording.
    ///   - tolerance: Which differences count.
    ///   - build: Makes the system as the program does, with the given state and scheduler; the first one of these
    ///     types that it makes there is compared. Called on this thread, once for each part without a gap.
    /// - Returns: The first difference, if there is one.
    /// - Throws: A ``RecordingError`` if the recording has no such system, if its states or events were recorded as
    ///   text, or if the file cannot be read; and the errors of `build`.
    @inlinable
    public func run<State: Codable & Sendable, Event: Codable & Sendable>(
        _ state: State.Type, _ event: Event.Type, as name: String, tolerance: Tolerance = .fields,
        _ build: (ReplayStart<State>) throws -> System<State, Event>
    ) throws -> RunResult {
        let run = try ReplayRun(self, name, tolerance, state: state, event: event)
        return try run.run(ReplayProbes<State, Event>(run)) { state, scheduler in
            guard let state = state as? State else { return nil }
            return ReplayedSystem(try build(ReplayStart(state: state, scheduler: scheduler)))
        }
    }

    /// Runs a recorded object again, such as a store of models or the value of a key of fetches.
    ///
    /// The actions of the outside are repeated: its writes of states, and its events. A task that something outside has
    /// begun, by calling a function of a model, cannot be begun again; its writes and events are repeated as those of the
    /// outside. Everything else has to come about: the tasks that models begin when they are activated, what these write,
    /// send and call, and the consequences of a write.
    ///
    /// Of several tasks that continue at one instant, the runtime of Swift chooses the order, above all where some were
    /// cancelled. In a long session, that can be a difference of order.
    ///
    /// - Parameters:
    ///   - state: The type of the states: that of the store, or `RecordedFetch` for a key of fetches.
    ///   - name: The name in the recording.
    ///   - tolerance: Which differences count.
    ///   - build: Makes the object as the program does, with the given state and scheduler, and returns its `replayed`.
    ///     Called on this thread, once for each part without a gap.
    /// - Returns: The first difference, if there is one.
    /// - Throws: A ``RecordingError`` as for a system, and the errors of `build`.
    public func run<State: Codable & Sendable>(
        _ state: State.Type, as name: String, tolerance: Tolerance = .fields,
        _ build: (ReplayStart<State>) throws -> ReplayedSystem
    ) throws -> RunResult {
        let event = (State.self as? any StateOfEvents.Type)?.eventType ?? String.self
        return try ReplayRun(self, name, tolerance, state: state, event: event).run(nil) { state, scheduler in
            guard let state = state as? State else { return nil }
            return try build(ReplayStart(state: state, scheduler: scheduler))
        }
    }
}
