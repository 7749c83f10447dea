public import PromisedRecording
public import PromisedSystem
internal import PromisedTesting

extension Explorer where State: Codable, Event: Codable {
    /// Builds the system of one path with the state that the recording begins with, on the scheduler of that path's
    /// world. Invoked once per path.
    public typealias RecordedBuild = @Sendable (World<State>, State) -> System<State, Event>

    /// Explores every order in which things could have happened to a system from a turn of a recorded session on.
    ///
    /// ```swift
    /// import PromisedExploring
    /// import PromisedRecording
    /// import PromisedSystem
    ///
    /// struct Offline: Error {}
    ///
    /// let price = Endpoint<String, Int>("price") { name in .value(name.count) }
    ///
    /// func check(_ path: String) throws {
    ///     let explorer = try Explorer<Int, String>(from: Recording(contentsOf: path), turn: 41, of: "page") {
    ///         world, state in
    ///         world.outcomes(of: price) { _ in [.error(Offline())] }
    ///         world.always("not negative") { $0 >= 0 }
    ///         return System(initialState: state, scheduler: world.scheduler) { _, name in price(name) }
    ///     }
    ///     print(explorer.explore(depth: 4))
    /// }
    /// ```
    ///
    /// Each path begins with what the outside did in the recording up to the turn: the events that were sent, the
    /// answers of calls, and the timers that fired, in that order, in virtual time. What followed from that by itself is
    /// part of the start. There, a call that was in flight may get the answer that it has got in the recording, or any
    /// outcome that is declared with ``World/outcomes(of:_:)``. A call that begins later may get those, or the answers
    /// that calls of the same name and input have got after the turn; if there is none, the last one before. Properties
    /// with a memory know what happened before the turn.
    ///
    /// A path of a system without feedbacks and middleware begins where nothing was in flight last, if its states and
    /// events are `Hashable`; any other one where the recording begins, so that it has as many steps more.
    ///
    /// - Parameters:
    ///   - recording: The session. Calls of which inputs were redacted, and values of types that are not `Codable`, are
    ///     not recognized.
    ///   - turn: The number of a turn of the recording.
    ///   - name: The name of the system in the recording.
    ///   - events: The events that may be sent, any number of times; nil for those that were sent after the turn.
    ///   - build: Builds the system on the world's scheduler, with the given state. It may declare outcomes and
    ///     properties.
    /// - Throws: A `RecordingError` if the recording has no such system or turn, if values are known as text only, if
    ///   more than 10,000 events, answers and timers lead to the turn, or if the program does not come to the turn
    ///   with the recorded states.
    public init(
        from recording: Recording, turn: Int, of name: String, events: [Event]? = nil,
        build: @escaping RecordedBuild
    ) throws(RecordingError) where State: Hashable, Event: Hashable {
        var session = try RecordedSession<State, Event>(recording, name, turn)
        let (trial, numbers) = (Explorer(events: [], build: session.build(build)), Self.numbersByAge([]))
        try session.check(trial.start([], numbers), numbers)
        let search = Explorer(events: [], build: session.build(build, findsRest: true))
        let compared = search.makeNumbers(.equalConfigurations, [])
        session.skip(to: search.start([], compared), compared)
        self.init(events: try session.eventsToSend(events), build: session.build(build))
        place = session.place
    }

    /// The same for systems whose configurations cannot be compared: every path is executed.
    public init(
        from recording: Recording, turn: Int, of name: String, events: [Event]? = nil,
        build: @escaping RecordedBuild
    ) throws(RecordingError) {
        let session = try RecordedSession<State, Event>(recording, name, turn)
        let (trial, numbers) = (Explorer(events: [], build: session.build(build)), Self.numbersByAge([]))
        try session.check(trial.start([], numbers), numbers)
        self.init(events: try session.eventsToSend(events), build: session.build(build))
        place = session.place
    }
}
