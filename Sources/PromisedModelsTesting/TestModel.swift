internal import Promise
public import PromisedModels
internal import PromisedTesting

/// A model under test: its state is read as that of the model, and asserted in parts.
///
/// It is used like the model itself, whose methods are called through ``model``:
///
/// ```swift
/// import PromisedModels
/// import PromisedModelsTesting
///
/// struct Lamp: Model {
///     struct State: Equatable { var isOn = false }
///     enum Event: Equatable { case switched }
///     let context: ModelContext<Lamp>
///     func pressed() {
///         context.state.isOn.toggle()
///         send(.switched)
///     }
/// }
///
/// let test = TestStore<Lamp>(initialState: .init())
/// let lamp = test.model
/// lamp.model.pressed()
/// lamp.assert(\.isOn, true)
/// lamp.receive(.switched)
/// test.finish()
/// ```
@dynamicMemberLookup
public struct TestModel<Root: StoreRoot, M: Model> {
    /// The model.
    public let model: M
    let test: TestStore<Root>

    /// Calls a method of the model, and runs what is due then.
    public func perform<Result>(_ method: (M) throws -> Result) rethrows -> Result {
        defer { test.scheduler.advance() }
        return try method(model)
    }

    /// The present value of a property.
    public subscript<Value: Sendable>(dynamicMember path: KeyPath<M.State, Value>) -> Value {
        model.nonObservableState[keyPath: path]
    }

    /// Another model of the same store, such as a child, as a model under test.
    public func child<Child: Model>(_ child: (M) throws -> Child) rethrows -> TestModel<Root, Child> {
        TestModel<Root, Child>(model: try child(model), test: test)
    }

    // MARK: Asserting

    /// Asserts the state of the model: all changes since it was last asserted.
    ///
    /// - Parameter changes: Mutates the last asserted state into the expected one.
    public func assert(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, _ changes: (inout M.State) -> Void
    ) {
        let place = TestPlace(fileID, filePath, line, column)
        test.scheduler.advance()
        guard var expected = test.store.inspection.part(of: test.asserted, at: model) else {
            return notAsserted(place)
        }
        changes(&expected)
        let actual = model.nonObservableState
        if let difference = difference(from: expected, to: actual) {
            fail(
                """
                The state of \(model.typeName) is not as expected. From what was expected to what it is:

                \(difference)
                """, place)
        }
        accept(actual)
    }

    /// Asserts a property of the state, and accounts for that alone.
    ///
    /// - Parameters:
    ///   - path: The property.
    ///   - expected: Its expected value.
    public func assert<Value>(
        _ path: WritableKeyPath<M.State, Value>, _ expected: Value, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        let place = TestPlace(fileID, filePath, line, column)
        test.scheduler.advance()
        let actual = model.nonObservableState[keyPath: path]
        if let difference = difference(from: expected, to: actual) {
            fail(
                """
                A property of \(model.typeName) is not as expected. From what was expected to what it is:

                \(difference)
                """, place)
        }
        guard var asserted = test.store.inspection.part(of: test.asserted, at: model) else {
            return notAsserted(place)
        }
        asserted[keyPath: path] = actual
        accept(asserted)
    }

    private func accept(_ state: M.State) {
        if let whole = test.store.inspection.replacing(state, in: test.asserted, at: model) {
            test.asserted = whole
        }
    }

    private func notAsserted(_ place: TestPlace) {
        fail(
            """
            The state of this \(model.typeName) was not asserted yet, so its changes cannot be.

            Assert first that its parent has it.
            """, place)
    }

    // MARK: Receiving

    /// Asserts that the model has sent an event. Events may be received in any order, each once.
    ///
    /// - Parameter event: The expected event.
    public func receive(
        _ event: M.Event, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) where M.Event: Equatable {
        receive(any: event, TestPlace(fileID, filePath, line, column))
    }

    /// Asserts that the model has sent an event or a trigger of any type.
    ///
    /// - Parameter event: The expected event.
    @_disfavoredOverload
    public func receive<Event: Equatable & Sendable>(
        _ event: Event, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) { receive(any: event, TestPlace(fileID, filePath, line, column)) }

    private func receive<Event: Equatable & Sendable>(any event: Event, _ place: TestPlace) {
        test.scheduler.advance()
        let sent = test.log.withLock { $0.events }
        let found = sent.indices.first {
            !sent[$0].isReceived && sent[$0].number == model.number && sent[$0].event as? Event == event
        }
        if let found { return test.log.withLock { $0.events[found].isReceived = true } }
        let open = sent.filter { !$0.isReceived }
        let others = open.map { "    \(ValueText(event: $0.event)), sent by \($0.sender.typeName)" }
        let left = "These are left to receive:\n\n" + others.joined(separator: "\n")
        fail(
            """
            \(model.typeName) has not sent \(ValueText(event: event)).

            \(open.isEmpty ? "There is no event left to receive." : left)
            """, place)
    }

    /// Asserts the preferences of the model and of all below it, as one value.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - expected: The expected value.
    public func assertPreference<Key: PreferenceKey>(
        _ key: Key.Type, _ expected: Key.Value, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        test.scheduler.advance()
        let actual = model.preference(key)
        test.log.withLock { log in log.preferences.removeAll { $0.key == "\(key)" } }
        guard let difference = difference(from: expected, to: actual) else { return }
        fail(
            """
            The preference \(key) of \(model.typeName) is not as expected. From what was expected to what it is:

            \(difference)
            """, TestPlace(fileID, filePath, line, column))
    }
}

@available(*, unavailable)
extension TestModel: Sendable {}

extension TestStore where Root: Model {
    /// The root.
    public var model: TestModel<Root, Root> { TestModel(model: store.model, test: self) }
}
