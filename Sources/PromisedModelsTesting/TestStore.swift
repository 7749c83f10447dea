internal import Foundation
internal import Promise
public import PromisedModels
public import PromisedTesting

/// Tests models: everything that they do must be accounted for.
///
/// ```swift
/// import PromisedModels
/// import PromisedModelsTesting
///
/// struct Counter: Model {
///     struct State: Equatable { var count = 0 }
///     let context: ModelContext<Counter>
///     func incrementTapped() { context.state.count += 1 }
/// }
///
/// let test = TestStore<Counter>(initialState: .init())
/// test.model.perform { $0.incrementTapped() }
/// test.model.assert { $0.count = 1 }
/// test.finish()
/// ```
///
/// Its store has a `TestScheduler`: nothing runs until the test asserts, receives, or moves the clock.
/// The dependencies are those of `DependencyContext.test`, and the built-in ones are the same in every run:
/// `date` begins at 1970 and follows the scheduler's time, `uuid` counts up, `random` is seeded.
///
/// At the end, anything unaccounted for fails the test: changes of the state, events, preferences, tasks. Models that
/// are dependencies of the store inherit all of that, and have to be accounted for as well:
/// `test.model.child { $0.dependency(\.settings) }` is one under test. A test store that is released without
/// ``finish(fileID:filePath:line:column:)`` is finished then.
public final class TestStore<Root: StoreRoot> {
    /// The store under test.
    public let store: Store<Root>
    /// Its scheduler, which advances only when the test moves it.
    public let scheduler: TestScheduler
    /// The kinds of changes and work for which the test has to account.
    public var exhaustivity: Exhaustivity
    /// Whether unaccounted changes and work of the kinds outside ``exhaustivity`` are reported as a note.
    public var showsSkipped = false

    let log = Lock(TestLog())
    private let place: TestPlace
    private var isFinished = false
    package var tries = AssertionTries()
    private let account: Account<Root.RootState>
    /// The state as far as it was asserted.
    var asserted: Root.RootState {
        get { account.asserted }
        set { account.asserted = newValue }
    }

    /// Creates a store with a test scheduler, and activates its models.
    ///
    /// - Parameters:
    ///   - initialState: The first state. Changes by models during their activation have to be asserted.
    ///   - exhaustivity: The kinds of changes and work for which the test has to account.
    ///   - dependencies: Overrides dependencies of all models, the built-in ones included.
    public init(
        initialState: Root.RootState, exhaustivity: Exhaustivity = .on, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        dependencies: (inout DependencyValues) -> Void = { _ in }
    ) {
        let scheduler = TestScheduler()
        (self.scheduler, self.exhaustivity) = (scheduler, exhaustivity)
        place = TestPlace(fileID, filePath, line, column)
        store = Store(initialState: initialState, scheduler: scheduler) { values in
            values.context = .test
            values.date = DateSource { Date(timeIntervalSince1970: scheduler.now / .seconds(1)) }
            (values.uuid, values.random) = (.incrementing, .seeded(0))
            dependencies(&values)
        }
        account = Account(store.inspection)
        store.inspection.log(in: log)
        store.inspection.observeGuests { [log] guest in
            guest.log(in: log)
            let account = guest.account
            log.withLock { $0.guests.append(account) }
        }
        scheduler.advance()
    }

    /// The store, and those of the models that are its dependencies.
    private var accounts: [any AnyAccount] { [account] + log.withLock { $0.guests } }

    /// The account of the store that a model belongs to; nil if that is not under test.
    func account(of model: some Model) -> (any AnyAccount)? { accounts.first { $0.contains(model) } }

    deinit { end(at: place) }

    /// Runs all work due now, and moves the clock.
    ///
    /// - Parameter duration: How far to move it.
    public func advance(by duration: Duration = .zero) { scheduler.advance(by: duration) }

    /// Asserts the whole state of the store: all changes since it was last asserted. The root of an optional or an
    /// array appears and is removed with it.
    ///
    /// If ``exhaustivity`` does not contain `states`, it asserts the present state instead, and only the properties
    /// that the closure sets.
    ///
    /// - Parameter changes: Mutates the last asserted state into the expected one.
    public func assert(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, _ changes: (inout Root.RootState) -> Void
    ) {
        let place = TestPlace(fileID, filePath, line, column)
        checkAfterAdvance(place) {
            var expected = exhaustivity.contains(.states) ? asserted : store.state
            changes(&expected)
            asserted = store.state
            guard let difference = difference(from: expected, to: asserted) else { return }
            fail(
                """
                The state of the store is not as expected. From what was expected to what it is:

                \(difference)\(openWorkNote)
                """, place)
        }
    }

    /// Ends the test: everything must have been accounted for. Then the store is released, which ends its models.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) { end(at: TestPlace(fileID, filePath, line, column)) }

    private func end(at place: TestPlace) {
        guard !isFinished else { return }
        checkAfterAdvance(place) {
            isFinished = !tries.isTrying
            checkStates(place)
            checkEvents(place)
            checkTasks(place)
        }
        guard isFinished else { return }
        scheduler.runAsCurrent { for account in accounts { account.end() } }
        scheduler.advance()
    }

    private func checkStates(_ place: TestPlace) {
        for account in accounts {
            guard let difference = account.difference else { continue }
            let whose = account === self.account ? "" : " of the dependency \(account.name)"
            complain(
                .states,
                """
                The state\(whose) has changes that were not asserted. From what was asserted to what it is:

                \(difference)
                """, place)
        }
    }

    private func checkEvents(_ place: TestPlace) {
        let log = log.withLock { $0 }
        for event in log.events where !event.isReceived {
            complain(
                .events,
                "\(event.sender.typeName) has sent \(ValueText(event: event.event)), which was not received.",
                place)
        }
        for preference in log.preferences {
            complain(
                .events,
                "\(preference.model) has set the preference \(preference.keyName), which was not asserted.",
                place
            )
        }
    }

    private func checkTasks(_ place: TestPlace) {
        for task in accounts.flatMap(\.runningTasks) {
            complain(
                .effects,
                "\(task.model) has a task that is still running, started at \(task.origin). Settle what it waits for, "
                    + "move the clock, or cancel it before the end of the test.\(openWorkNote)", place)
        }
    }

    /// Fails the test, or makes a note of what the test skips.
    private func complain(_ kind: Exhaustivity, _ message: String, _ place: TestPlace) {
        if exhaustivity.contains(kind) {
            fail(message, place)
        } else if showsSkipped {
            note(message, place)
        }
    }
}

@available(*, unavailable)
extension TestStore: Sendable {}

extension TestStore: AccountingTest {
    package func checkpoint() -> () -> Void {
        let (log, accounts) = (log.withLock { $0 }, accounts.map { $0.checkpoint() })
        return { [self] in
            self.log.withLock { $0 = log }
            for forget in accounts { forget() }
        }
    }

    /// Runs all due work, and makes an assertion, which must run nothing itself: a failed try would forget the results.
    func checkAfterAdvance(_ place: TestPlace, _ assertion: () -> Void) {
        if !tries.isTrying { scheduler.advance() }
        check(place, assertion)
    }

    /// Waits, in real time, until assertions pass that depend on `async` work on another executor, without blocking a
    /// thread meanwhile, as `TestSystem.afterAsyncWork` does.
    ///
    /// - Parameters:
    ///   - limit: How long to wait at most, in real time.
    ///   - assertions: Called several times; only for assertions of this test store and its models. A failed try
    ///     accounts for nothing.
    public func afterAsyncWork(
        within limit: Duration = .seconds(5), fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        _ assertions: () -> Void
    ) async {
        await afterAsyncWork(within: limit, at: TestPlace(fileID, filePath, line, column), assertions)
    }
}

/// The text of the difference between two states; nil if there is none.
func difference<State>(from expected: State, to actual: State) -> String? {
    if let expected = expected as? any Equatable, isEqual(expected, actual) || haveSameBits(expected, actual)
    {
        return nil
    }
    let diff = StateDiff(from: expected, to: actual)
    return diff.changes.isEmpty && !(expected is any Equatable) ? nil : diff.indented
}

private func isEqual<Value: Equatable>(_ value: Value, _ other: Any) -> Bool { other as? Value == value }
