internal import Promise
public import PromisedModels
internal import PromisedTesting

/// A model under test: its state is read as that of the model, and asserted in parts.
///
/// It is read like the model itself, whose methods are called by ``perform(_:)``:
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
/// lamp.perform { $0.pressed() }
/// lamp.assert(\.isOn, true)
/// lamp.receive(.switched)
/// test.finish()
/// ```
@dynamicMemberLookup
public struct TestModel<Root: StoreRoot, M: Model> {
    /// The model.
    public let model: M
    let test: TestStore<Root>

    /// Calls a method of the model on the store's scheduler, as an application calls it on the main thread, and then
    /// runs all due work.
    public func perform<Result>(_ method: (M) throws -> Result) rethrows -> Result {
        defer { test.scheduler.advance() }
        return try test.scheduler.runAsCurrent { try method(model) }
    }

    /// The present value of a property.
    public subscript<Value: Sendable>(dynamicMember path: KeyPath<M.State, Value>) -> Value {
        model.nonObservableState[keyPath: path]
    }

    /// Another model of the same store, such as a child, as a model under test.
    public func child<Child: Model>(_ child: (M) throws -> Child) rethrows -> TestModel<Root, Child> {
        test.testModel(try test.scheduler.runAsCurrent { try child(model) })
    }

    // MARK: Asserting

    /// Asserts the state of the model: all changes since it was last asserted.
    ///
    /// If the store's ``TestStore/exhaustivity`` does not contain `states`, it asserts the present state instead, and
    /// only the properties that the closure sets. So it does for a model that was added and not asserted yet: its
    /// parent, or the store, still has to be asserted to have it.
    ///
    /// - Parameter changes: Mutates the last asserted state into the expected one.
    public func assert(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, _ changes: (inout M.State) -> Void
    ) {
        let place = TestPlace(fileID, filePath, line, column)
        assert("The state", place) { asserted in
            let actual = model.nonObservableState
            var expected = test.exhaustivity.contains(.states) ? asserted : actual
            changes(&expected)
            asserted = actual
            return difference(from: expected, to: actual)
        }
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
        assert("A property", place) { asserted in
            let actual = model.nonObservableState[keyPath: path]
            asserted[keyPath: path] = actual
            return difference(from: expected, to: actual)
        }
    }

    /// - Parameter accept: Mutates the last asserted state into the present one, and returns the difference from the
    ///   expected one; nil if there is none.
    private func assert(_ part: String, _ place: TestPlace, _ accept: (inout M.State) -> String?) {
        test.checkAfterAdvance(place) {
            guard var asserted = asserted(place) else { return }
            if let difference = accept(&asserted) {
                fail(
                    """
                    \(part) of \(model.typeName) is not as expected. From what was expected to what it is:

                    \(difference)\(test.openWorkNote)
                    """, place)
            }
            test.account(of: model)?.accept(asserted, of: model)
        }
    }

    /// The state as it was asserted, or as it is if it was not yet; nil, with a failure, if there is none.
    private func asserted(_ place: TestPlace) -> M.State? {
        let (name, account) = (model.typeName, test.account(of: model))
        if let asserted = account?.asserted(model) { return asserted }
        if account != nil, model.context.isActive { return model.nonObservableState }
        if account == nil {
            fail(
                """
                This \(name) belongs to another store, so its state cannot be asserted here.

                Create a TestStore for it.
                """, place)
        } else {
            fail(
                """
                This \(name) was removed, so its state cannot be asserted.

                Assert that its parent, or the store, no longer has it.
                """, place)
        }
        return nil
    }
}

@available(*, unavailable)
extension TestModel: Sendable {}

extension TestStore {
    /// A model of the store as a model under test: one at the root of an optional or an array, or any below it.
    ///
    /// - Parameter model: The model, as in `test.testModel(test.store.model[0])`.
    public func testModel<M: Model>(_ model: M) -> TestModel<Root, M> { TestModel(model: model, test: self) }
}

extension TestStore where Root: Model {
    /// The root.
    public var model: TestModel<Root, Root> { testModel(store.model) }
}
