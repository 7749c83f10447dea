internal import Promise
public import PromisedModels
internal import PromisedSystem
internal import PromisedTesting

// Events may be received in any order, each once.
extension TestModel {
    /// Asserts that the model has sent an event.
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

    /// Asserts that the model has sent an event that satisfies a condition: for events that are not `Equatable`.
    ///
    /// - Parameter isExpected: Returns whether an event is the expected one.
    public func receive(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, _ isExpected: (M.Event) -> Bool
    ) {
        let place = TestPlace(fileID, filePath, line, column)
        _ = receive("an event that satisfies the condition", place) { (event: M.Event) in
            isExpected(event) ? true : nil
        }
    }

    /// Asserts that the model has sent an event of a case, whatever its associated value is.
    ///
    /// - Parameter path: The case.
    /// - Returns: The associated value of the first such event that was not received yet; nil if there is none.
    @discardableResult
    public func receive<Event: Sendable, Value: Sendable>(
        _ path: CasePath<Event, Value>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) -> Value? {
        receive("an event of the case", TestPlace(fileID, filePath, line, column), path.extract)
    }

    private func receive<Event: Equatable & Sendable>(any event: Event, _ place: TestPlace) {
        _ = receive("\(ValueText(event: event))", place) { areAlike($0, event) ? event : nil }
    }

    /// - Parameters:
    ///   - expected: Names the event, for the failure.
    ///   - value: The result for the expected event; nil for another one.
    private func receive<Event: Sendable, Value>(
        _ expected: String, _ place: TestPlace, _ value: (Event) -> Value?
    ) -> Value? {
        var received: Value?
        test.checkAfterAdvance(place) { received = take(expected, place, value) }
        return received
    }

    private func take<Event: Sendable, Value>(
        _ expected: String, _ place: TestPlace, _ value: (Event) -> Value?
    ) -> Value? {
        let sent = test.log.withLock { $0.events }
        for index in sent.indices where !sent[index].isReceived && sent[index].number == model.number {
            guard let event = sent[index].event as? Event, let value = value(event) else { continue }
            test.log.withLock { $0.events[index].isReceived = true }
            return value
        }
        let open = sent.filter { !$0.isReceived }
        let others = open.map { "    \(ValueText(event: $0.event)), sent by \($0.sender.typeName)" }
        let left = "These are left to receive:\n\n" + others.joined(separator: "\n")
        fail(
            """
            \(model.typeName) has not sent \(expected).

            \(open.isEmpty ? "There is no event left to receive." : left)\(test.openWorkNote)
            """, place)
        return nil
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
        let place = TestPlace(fileID, filePath, line, column)
        test.checkAfterAdvance(place) {
            let actual = model.preference(key)
            test.log.withLock { $0.accountForPreferences(key, of: model.number) }
            guard let difference = difference(from: expected, to: actual) else { return }
            fail(
                """
                The preference \(key) of \(model.typeName) is not as expected. From what was expected to what it is:

                \(difference)\(test.openWorkNote)
                """, place)
        }
    }
}
