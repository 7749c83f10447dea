public import Promise
public import PromisedSystem

/// A system under test: driven step by step in virtual time, and everything that it does is accounted for.
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
///             .merging(events: { if case .load = $0 { 3 } else { nil } }) { number in
///                 Promise.value(Event.loaded(number)).delay(.seconds(1))
///             }
///         ]))
/// test.send(.load)
/// test.advance(by: .seconds(1))
/// test.receive(.loaded(3)) { $0 = 3 }
/// test.finish()
/// ```
///
/// Every state that is shown has to be asserted, every event that something else than the test has sent to be received,
/// every failure as well, and every piece of work to be over: what is left is reported by
/// ``finish(fileID:filePath:line:column:)``, or when the test system is released. ``exhaustivity`` says less. That counts
/// from the start: what the system does at once when it is made has happened when there is a test system.
public final class TestSystem<State: Sendable & Equatable, Event: Sendable> {
    /// The clock of the system.
    public let scheduler: TestScheduler
    /// What has to be accounted for.
    public var exhaustivity: Exhaustivity
    /// Whether what is not to be accounted for is shown as a note at the end.
    public var showsSkipped = false
    /// The last settled state.
    public var state: State { read() }

    let happenings: Lock<EventLog<State, Event>>
    var isFinished = false
    let place: TestPlace
    private let read: @Sendable () -> State
    /// - Returns: Whether it means something to the system.
    private let sendEvent: @Sendable (Event, StaticString, UInt) -> Bool
    private let lookAtWork: @Sendable (@escaping @Sendable ([RunningWork]) -> Void) -> Void
    private let tokens: [SubscriptionToken]
    let failureToken: SubscriptionToken

    /// A system of a test's own.
    ///
    /// - Parameters:
    ///   - initialState: Asserted from the start.
    ///   - feature: The reducer, the feedbacks and the middleware.
    ///   - eventPolicy: What an event does when it arrives.
    ///   - timeLimit: After how long the transition of an event is cancelled and reported; nil for never.
    ///   - scheduler: Its clock.
    ///   - exhaustivity: What has to be accounted for.
    public convenience init(
        initialState: State, feature: some FeatureProtocol<State, Event>,
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        scheduler: TestScheduler = TestScheduler(), exhaustivity: Exhaustivity = .on,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        self.init(
            System(
                initialState: initialState, scheduler: scheduler, feature: feature, eventPolicy: eventPolicy,
                timeLimit: timeLimit), .identity(),
            from: initialState, on: scheduler, exhaustivity, TestPlace(fileID, filePath, line, column))
    }

    /// A system of a test's own, with an asynchronous reducer.
    ///
    /// - Parameters:
    ///   - initialState: Asserted from the start.
    ///   - eventPolicy: What an event does when it arrives.
    ///   - timeLimit: After how long the transition of an event is cancelled and reported; nil for never.
    ///   - scheduler: Its clock.
    ///   - exhaustivity: What has to be accounted for.
    ///   - reducer: Describes the transition.
    public convenience init(
        initialState: State, eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil },
        scheduler: TestScheduler = TestScheduler(), exhaustivity: Exhaustivity = .on,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, reducer: @escaping @Sendable (State, Event) -> Promise<State>
    ) {
        self.init(
            initialState: initialState, feature: Feature(reducer: Reducer(reducer)), eventPolicy: eventPolicy,
            timeLimit: timeLimit, scheduler: scheduler, exhaustivity: exhaustivity, fileID: fileID,
            filePath: filePath, line: line, column: column)
    }

    /// A system that the test has made: as it is now, with nothing that has happened before. What it still has to do
    /// counts, such as asking the feedbacks for the first time.
    ///
    /// - Parameters:
    ///   - system: On the scheduler that is given.
    ///   - scheduler: Its clock.
    ///   - exhaustivity: What has to be accounted for.
    public convenience init(
        _ system: System<State, Event>, on scheduler: TestScheduler, exhaustivity: Exhaustivity = .on,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        self.init(
            system, scopedBy: .identity(), on: scheduler, exhaustivity: exhaustivity, fileID: fileID,
            filePath: filePath, line: line, column: column)
    }

    /// A part of a system: its states, and the events that mean something to it. Work counts as a whole.
    ///
    /// - Parameters:
    ///   - system: On the scheduler that is given.
    ///   - scope: The way to the part.
    ///   - scheduler: Its clock.
    ///   - exhaustivity: What has to be accounted for.
    public convenience init<Whole, WholeEvent>(
        _ system: System<Whole, WholeEvent>, scopedBy scope: Scope<Whole, WholeEvent, State, Event>,
        on scheduler: TestScheduler, exhaustivity: Exhaustivity = .on, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        self.init(
            system, scope, from: nil, on: scheduler, exhaustivity,
            TestPlace(fileID, filePath, line, column))
    }

    /// - Parameter initial: The state that counts as asserted; nil for what is shown now.
    private init<Whole, WholeEvent>(
        _ system: System<Whole, WholeEvent>, _ scope: Scope<Whole, WholeEvent, State, Event>,
        from initial: State?, on scheduler: TestScheduler, _ exhaustivity: Exhaustivity, _ place: TestPlace
    ) {
        (self.scheduler, self.exhaustivity, self.place) = (scheduler, exhaustivity, place)
        if !system.isOn(scheduler) {
            fail(
                """
                The system is on another scheduler than the test, which does not see all that happens there.

                Make the system with the scheduler that is given to the test.
                """, place)
        }
        read = { scope.get(system.state) }
        let present = system.shown.value.map(scope.get)
        var start = EventLog<State, Event>()
        start.add(.shown(.settled(initial ?? present.state)), at: scheduler.now, isAccountedFor: true)
        // Not as it began, if it was made in work of its scheduler.
        start.add(.shown(present), at: scheduler.now)
        let happenings = Lock(start)
        self.happenings = happenings
        sendEvent = { event, file, line in
            guard let event = scope.embed(event) else { return false }
            system.sendEvent(event, file: file, line: line)
            return true
        }
        lookAtWork = { system.look(atRunningWork: $0) }
        tokens = [
            system.onTurn { event, origin in
                guard let event = scope.extract(event) else { return }
                happenings.withLock { $0.add(.event(event, origin, .processed), at: scheduler.now) }
            },
            system.shown.subscribe(replayCurrent: false) { shown in
                let part = shown.map(scope.get)
                happenings.withLock { $0.add(.shown(part), at: scheduler.now) }
            },
            system.onLoop { [place] record in
                if case .missed = record.outcome, let event = scope.extract(record.event) {
                    note(
                        "\(ValueText(event: event)), sent at \(record.origin), was for a part of the state that is not there.",
                        place)
                }
                guard let reason = record.outcome.reasonForNoTurn, let event = scope.extract(record.event)
                else { return }
                happenings.withLock {
                    $0.add(.event(event, record.origin, .hadNone(reason)), at: scheduler.now)
                }
            },
        ]
        failureToken = system.onFailure { report, isHandled in
            happenings.withLock { $0.add(.failure(report, isHandled: isHandled), at: scheduler.now) }
        }
        // Only now, so that nothing happens unseen.
        scheduler.advance()
    }

    deinit {
        if !isFinished { end(at: place) }
        for token in tokens { token.cancel() }
    }

    // MARK: Driving

    /// Sends an event, and does what is due at once.
    ///
    /// - Parameters:
    ///   - event: What happens.
    ///   - changes: Makes the state before the one that the event leads to that one, if that is to be asserted here.
    public func send(
        _ event: Event, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column, _ changes: ((inout State) -> Void)? = nil
    ) {
        let place = TestPlace(fileID, filePath, line, column)
        let origin = Origin(fileID, line)
        let start = happenings.withLock { happenings in
            happenings.expectOwn(from: origin)
            return happenings.entries.count
        }
        guard sendEvent(event, fileID, line) else {
            happenings.withLock { $0.expectNoOwn(from: origin) }
            return fail(
                """
                \(ValueText(event: event)) was not sent: the scope has no event of the whole for it.

                Send an event that the whole system knows, or mend the scope.
                """, place)
        }
        scheduler.advance()
        let own = happenings.withLock { $0.event(from: origin, since: start) }
        if let changes {
            let event = ValueText(event: event).description
            assertState(from: own ?? start, inOneTurn: own != nil, place, after: event, changes)
        }
    }

    /// Moves the clock, and does everything that falls due on the way.
    ///
    /// - Parameter duration: How far; zero, the default, does what is due now.
    public func advance(by duration: Duration = .zero) { scheduler.advance(by: duration) }

    /// Moves the clock from one piece of work to the next until none is left.
    ///
    /// - Parameter limit: How many pieces of work to run at most; then the test fails.
    public func run(
        limit: Int = 1_000_000, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        scheduler.run(limit: limit, fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// The work that is running now, in the order in which it was started.
    var runningWork: [RunningWork] {
        let found = Lock<[RunningWork]>([])
        lookAtWork { work in found.withLock { $0 = work } }
        scheduler.advance()
        return found.withLock { $0 }
    }
}

@available(*, unavailable)
extension TestSystem: Sendable {}

extension LoopRecord.Outcome {
    /// Why the event had no turn; nil if it had one.
    fileprivate var reasonForNoTurn: String? {
        switch self {
        case .settled, .missed, .failed, .cancelled: nil
        case .stopped: "middleware stopped it"
        case .dropped(.busy): "it was dropped, as a transition was running"
        case .dropped(.debounced): "another of its key came before there was quiet"
        case .dropped(.throttled): "another of its key had its turn just before"
        case .dropped(.withdrawn): "the effect that sent it was cancelled while it waited"
        case .dropped(.runaway): "it was the last of an endless chain"
        }
    }
}
