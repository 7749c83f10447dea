internal import Promise

extension TestReport {
    /// Calls `body`, and returns the reports of the kit meanwhile, in order. None of them fails the running test.
    ///
    /// Reports after this has returned, by a task that is still running or a test system that is still retained, do.
    ///
    /// - Parameter body: The code whose reports are collected, with the tasks that it starts.
    public static func collect(_ body: () throws -> Void) rethrows -> [TestReport] {
        let collection = Collection()
        defer { _ = collection.close() }
        try Reporter.$current.withValue(collection.reporter, operation: body)
        return collection.close()
    }

    /// Calls `body`, and returns the reports of the kit meanwhile, in order. None of them fails the running test.
    ///
    /// Reports after this has returned, by a task that is still running or a test system that is still retained, do.
    ///
    /// - Parameter body: The code whose reports are collected, with the tasks that it starts.
    public static func collect(_ body: () async throws -> Void) async rethrows -> [TestReport] {
        let collection = Collection()
        defer { _ = collection.close() }
        try await Reporter.$current.withValue(collection.reporter, operation: body)
        return collection.close()
    }

    /// The reports collected until it is closed.
    private final class Collection: Sendable {
        private let reports = Lock<[TestReport]?>([])

        /// Stores reports, and forwards those after ``close()`` to the reporter that was in force before.
        var reporter: Reporter {
            let outer = Reporter.current
            return Reporter { [self] report in
                let isKept = reports.withLock { reports in
                    reports?.append(report)
                    return reports != nil
                }
                if !isKept { report.make(for: outer) }
            }
        }

        func close() -> [TestReport] { reports.withLock { $0.take() } ?? [] }
    }

    /// Calls `body` with `report` as the reporter of the kit, in place of the running test.
    ///
    /// Test systems and ``unimplemented(_:fileID:filePath:line:column:)`` dependencies that `body` creates use it later
    /// as well, unless another reporter is in force then. This works on threads without a task, too.
    ///
    /// ```swift
    /// import PromisedTesting
    ///
    /// let failing = Law("least", "a is at most 5") { random in
    ///     let a = Int.random(in: 0...9, using: &random)
    ///     return a <= 5 ? nil : .init(["a": a], [:])
    /// }
    /// TestReport.withReporter({ report in print(report.message.prefix(29)) }) { checkLaws([failing]) }
    /// ```
    ///
    /// - Parameters:
    ///   - report: Called with every failure and note, synchronously on the thread that reports it.
    ///   - body: The code whose reports are redirected, with the tasks that it starts.
    /// - Returns: The result of `body`.
    public static func withReporter<Result>(
        _ report: @escaping @Sendable (TestReport) -> Void, _ body: () throws -> Result
    ) rethrows -> Result {
        try Reporter.$current.withValue(Reporter(receive: report), operation: body)
    }

    /// Calls `body` with `report` as the reporter of the kit, in place of the running test.
    ///
    /// - Parameters:
    ///   - report: Called with every failure and note, synchronously on the thread that reports it.
    ///   - body: The code whose reports are redirected, with the tasks that it starts.
    /// - Returns: The result of `body`.
    public static func withReporter<Result>(
        _ report: @escaping @Sendable (TestReport) -> Void, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Reporter.$current.withValue(Reporter(receive: report), operation: body)
    }
}
