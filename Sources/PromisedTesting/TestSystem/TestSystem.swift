public import Promise
public import PromisedSystem

/// A system under test, driven step by step in virtual time. The test has to account for everything that it does.
///
/// ```swift
/// import PromisedSystem
/// import PromisedTesting
///
/// enum Event: Equatable { case load, loaded(Int) }
///
/// let test = TestSystem(
///     initialState: 0,
///     feature: Feature(
///         reducer: Reducer<Int, Event> { count, event in if case .loaded(let number) = event { count = number } },
///         feedbacks: [
///             .onEvent({ if case .load = $0 { 3 } else { nil } }) { number in
///                 Promise.value(Event.loaded(number)).delay(.seconds(1))
///             }
///         ]))
/// test.send(.load)
/// test.advance(by: .seconds(1))
/// test.receive(.loaded(3)) { $0 = 3 }
/// test.finish()
/// ```
///
/// Every shown state has to be asserted, every event that was not sent by the test and every failure has to be
/// received, and all work has to be finished. The rest is reported by ``finish(fileID:filePath:line:column:)``, or
/// when the test system is released. ``exhaustivity`` can require less. This includes what the system does when it is
/// created: that has happened when the initializer of the test system returns.
public final class TestSystem<State: Sendable & Equatable, Event: Sendable> {
    /// The scheduler of the system: the clock that the test moves.
    public let scheduler: TestScheduler
    /// The occurrences that the test has to account for; `.on` unless passed to the initializer.
    public var exhaustivity: Exhaustivity
    /// Whether ``finish(fileID:filePath:line:column:)`` reports what ``exhaustivity`` does not require as notes.
    public var showsSkipped = false
    /// Whether events have to be received in the order in which the system has processed them. By default, any order is
    /// accepted.
    ///
    /// ```swift
    /// import PromisedSystem
    /// import PromisedTesting
    ///
    /// let test = TestSystem(
    ///     initialState: 0,
    ///     feature: Feature(
    ///         reducer: Reducer<Int, Int> { $0 += $1 },
    ///         feedbacks: [.onEvent({ $0 == 0 ? true : nil }) { _ in Effect.sequence([1, 2]) }]))
    /// test.receivesInOrder = true
    /// test.send(0)
    /// test.receive(1) { $0 = 1 }
    /// test.receive(2) { $0 = 3 }
    /// test.finish()
    /// ```
    public var receivesInOrder = false
    /// The last settled state. Reading it accounts for nothing.
    public var state: State { read() }

    let eventLog: Lock<EventLog<State, Event>>
    var isFinished = false
    let place: TestPlace
    private let read: @Sendable () -> State
    /// - Returns: Whether the scope could embed the event in one of the system.
    private let sendEvent: @Sendable (Event, SentEvent, Origin) -> Bool
    let system: any ExploredSystem
    /// By the number of its request: the running work that the test leaves out.
    var skippedWork: Set<Int> = []
    package var tries = AssertionTries()
    private let tokens: [SubscriptionToken]
    let failureToken: SubscriptionToken

    /// Creates a system and tests it.
    ///
    /// - Parameters:
    ///   - initialState: The state that the system begins with; counts as asserted.
    ///   - feature: The reducer, feedbacks and middleware of the system.
    ///   - configuration: How the system treats events, and how many states it keeps.
    ///   - scheduler: The scheduler of the system, whose clock the test moves.
    ///   - exhaustivity: What the test has to account for.
    public convenience init(
        initialState: State, feature: some FeatureProtocol<State, Event>,
        configuration: System<State, Event>.Configuration = .init(),
        scheduler: TestScheduler = TestScheduler(), exhaustivity: Exhaustivity = .on,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        self.init(
            System(
                initialState: initialState, scheduler: scheduler, feature: feature,
                configuration: configuration), .identity(),
            from: initialState, on: scheduler, exhaustivity, TestPlace(fileID, filePath, line, column))
    }

    /// Creates a system with an asynchronous reducer and tests it.
    ///
    /// - Parameters:
    ///   - initialState: The state that the system begins with; counts as asserted.
    ///   - configuration: How the system treats events, and how many states it keeps.
    ///   - scheduler: The scheduler of the system, whose clock the test moves.
    ///   - exhaustivity: What the test has to account for.
    ///   - reducer: Returns a promise of the next state.
    public convenience init(
        initialState: State, configuration: System<State, Event>.Configuration = .init(),
        scheduler: TestScheduler = TestScheduler(), exhaustivity: Exhaustivity = .on,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, reducer: @escaping @Sendable (State, Event) -> Promise<State>
    ) {
        self.init(
            initialState: initialState, feature: Feature(reducer: Reducer(reducer)),
            configuration: configuration, scheduler: scheduler, exhaustivity: exhaustivity, fileID: fileID,
            filePath: filePath, line: line, column: column)
    }

    /// Tests an existing system from its present state on; what happened before is not recorded.
    ///
    /// Pending work of the system counts, such as the first query of its feedbacks.
    ///
    /// - Parameters:
    ///   - system: A system that runs on `scheduler`; a system on another one fails the test.
    ///   - scheduler: The scheduler of the system, whose clock the test moves.
    ///   - exhaustivity: What the test has to account for.
    public convenience init(
        _ system: System<State, Event>, on scheduler: TestScheduler, exhaustivity: Exhaustivity = .on,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        self.init(
            system, scopedBy: .identity(), on: scheduler, exhaustivity: exhaustivity, fileID: fileID,
            filePath: filePath, line: line, column: column)
    }

    /// Tests a part of an existing system: the states of the part, and the events that its scope extracts. Work and
    /// failures of the whole system count.
    ///
    /// - Parameters:
    ///   - system: A system that runs on `scheduler`; a system on another one fails the test.
    ///   - scope: The scope of the part.
    ///   - scheduler: The scheduler of the system, whose clock the test moves.
    ///   - exhaustivity: What the test has to account for.
    public convenience init<Whole, WholeEvent>(
        _ system: System<Whole, WholeEvent>, scopedBy scope: Scope<Whole, WholeEvent, State, Event>,
        on scheduler: TestScheduler, exhaustivity: Exhaustivity = .on, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        self.init(
            system, scope, from: nil, on: scheduler, exhaustivity,
            TestPlace(fileID, filePath, line, column))
    }

    /// - Parameter initial: The state that counts as asserted; nil for the one shown now.
    private init<Whole, WholeEvent>(
        _ system: System<Whole, WholeEvent>, _ scope: Scope<Whole, WholeEvent, State, Event>,
        from initial: State?, on scheduler: TestScheduler, _ exhaustivity: Exhaustivity, _ place: TestPlace
    ) {
        (self.scheduler, self.exhaustivity, self.place) = (scheduler, exhaustivity, place)
        if !system.isOn(scheduler) {
            fail(
                """
                The system runs on another scheduler than the test, which cannot observe everything that happens there.

                Create the system with the scheduler that is passed to the test.
                """, place)
        }
        read = { scope.get(system.state) }
        let present = system.shown.value.map(scope.get)
        var start = EventLog<State, Event>()
        start.add(.shown(.settled(initial ?? present.state)), at: scheduler.now, isAccountedFor: true)
        // Differs from the initial state if the system was created in work of its scheduler.
        start.add(.shown(present), at: scheduler.now)
        let eventLog = Lock(start)
        self.eventLog = eventLog
        sendEvent = { event, sent, origin in
            guard let event = scope.embed(event) else { return false }
            system.send(event, as: sent, at: origin)
            return true
        }
        self.system = system.explored
        tokens = [
            system.onTurn { event, origin in
                let send = eventLog.withLock { $0.takeSend() }
                guard let event = scope.extract(event) else { return }
                eventLog.withLock { $0.add(event, origin, .processed, at: scheduler.now, send: send) }
            },
            system.shown.subscribe(replayCurrent: false) { shown in
                let part = shown.map(scope.get)
                eventLog.withLock { $0.add(.shown(part), at: scheduler.now) }
            },
            system.onLoop { [place] record in
                if case .missed = record.outcome, let event = scope.extract(record.event) {
                    note(
                        "\(ValueText(event: event)), sent at \(record.origin), targeted a missing part of the state.",
                        place)
                }
                guard let reason = record.outcome.notProcessedReason else { return }
                let send = eventLog.withLock { $0.takeSend() }
                guard let event = scope.extract(record.event) else { return }
                eventLog.withLock {
                    $0.add(event, record.origin, .notProcessed(reason), at: scheduler.now, send: send)
                }
            },
        ]
        failureToken = system.onFailure { report, isHandled in
            eventLog.withLock { $0.add(.failure(report, isHandled: isHandled), at: scheduler.now) }
        }
        // Only now, when everything that happens is observed.
        scheduler.advance(at: place)
    }

    deinit {
        if !isFinished { end(at: place) }
        for token in tokens { token.cancel() }
    }

    // MARK: Driving

    /// Sends an event, and runs the due work.
    ///
    /// - Parameters:
    ///   - event: The event to send; counts as accounted for.
    ///   - changes: Mutates the state before the event into the one that the event leads to; nil to assert that later.
    public func send(
        _ event: Event, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column, _ changes: ((inout State) -> Void)? = nil
    ) {
        let place = TestPlace(fileID, filePath, line, column)
        let sent = SentEvent()
        let (start, number) = eventLog.withLock { ($0.entries.count, $0.expect(sent)) }
        guard sendEvent(event, sent, Origin(fileID, line)) else {
            eventLog.withLock { $0.revertSend(number) }
            return fail(
                """
                \(ValueText(event: event)) was not sent: the scope cannot embed it in an event of the whole system.

                Send an event that the scope can embed, or fix the scope.
                """, place)
        }
        scheduler.advance(at: place)
        guard let changes else { return }
        let name = ValueText(event: event).description
        check(place) {
            let own = eventLog.withLock { $0.index(ofSend: number) }
            assertState(from: own ?? start, inOneTurn: own != nil, place, after: name, changes)
        }
    }

    /// Moves the clock, and runs everything that falls due, each at its own instant.
    ///
    /// - Parameter duration: How far to move the clock; zero, the default, runs the due work.
    public func advance(
        by duration: Duration = .zero, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        scheduler.advance(by: duration, at: TestPlace(fileID, filePath, line, column))
    }

    /// Moves the clock from one instant at which work is due to the next until no work is left.
    ///
    /// - Parameter limit: To how many instants to move the clock at most; if more work is pending then, the test fails
    ///   with the names of what runs.
    public func run(
        limit: Int = 1_000, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        scheduler.run(limit: limit, fileID: fileID, filePath: filePath, line: line, column: column)
    }
}

@available(*, unavailable)
extension TestSystem: Sendable {}

extension LoopRecord.Outcome {
    /// Why the event was not processed; nil if it was.
    fileprivate var notProcessedReason: String? {
        switch self {
        case .settled, .missed, .failed, .cancelled: nil
        case .stopped: "middleware stopped it"
        case .dropped(.busy): "it was dropped because a transition was running"
        case .dropped(.debounced): "a later event with its key arrived within the debounce interval"
        case .dropped(.throttled): "an event with its key was processed within the throttle interval"
        case .dropped(.withdrawn):
            "the effect that sent it was cancelled, or the part of its handle ended, while the event was queued"
        case .dropped(.runaway): "the cascade of events exceeded its limit"
        }
    }
}
