internal import PromisedTesting

extension Sequence {
    /// The executed steps as JSON, with the states and errors that followed from them.
    ///
    /// ```swift
    /// import PromisedExploring
    /// import PromisedSystem
    ///
    /// let explorer = Explorer<Int, Int>(events: [1]) { world in
    ///     System(initialState: 0, scheduler: world.scheduler) { count, number in
    ///         world.call("add", .value(count + number))
    ///     }
    /// }
    /// let json = explorer.replay(.send(1), .answer("add", "1")).json()
    /// print(explorer.replay(json: json).count)
    /// // 2
    /// ```
    ///
    /// - Parameter property: The property that the trace violates, if any.
    public func json<State, Event>(property: String? = nil) -> String
    where Element == TraceEntry<State, Event> {
        TraceDocument.text(TraceDocument(self, property: property))
    }
}

extension Counterexample {
    /// The trace as JSON, for ``Explorer/replay(json:fileID:filePath:line:column:)``.
    public var json: String { trace.json(property: property) }

    /// The attachments of a test that fails on it.
    var attachments: [TestReport.Attachment] { [.init(name: "trace.json", text: json)] }
}

extension Explorer {
    /// The steps of a trace in JSON. Events are found among those of the explorer, by their source text.
    ///
    /// - Throws: An error that says what cannot be read.
    public func steps(json: String) throws -> [Step<Event>] { try TraceDocument(json: json).steps(events) }

    /// Replays a trace in JSON on a new system. The test fails if the trace cannot be read, if a property is violated,
    /// or if a step is not possible; nothing is executed after that.
    ///
    /// - Parameter json: The trace, as in ``Counterexample/json``.
    /// - Returns: The executed steps, each with the states and errors that followed from it.
    @discardableResult
    public func replay(
        json: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) -> [TraceEntry<State, Event>] {
        do {
            return replay(
                try steps(json: json), fileID: fileID, filePath: filePath, line: line, column: column)
        } catch {
            fail(
                "The trace cannot be replayed: \(error).", TestPlace(fileID, filePath, line, column))
            return []
        }
    }
}
