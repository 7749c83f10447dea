import Promise

/// What the test kit says about a test: why it fails, or a note.
///
/// By default a failure makes the running test fail, in Swift Testing and in XCTest. A suite that asserts what the kit
/// says, of a helper or a law of its own, collects the reports instead:
///
/// <!-- fence: run -->
/// ```swift
/// import PromisedSystem
/// import PromisedTesting
///
/// let reports = TestReport.collect {
///     let test = TestSystem<Int, Int>(initialState: 0) { .value($0 + $1) }
///     test.send(2) { $0 = 3 }
///     test.finish()
/// }
/// print(reports.count, reports[0].kind)
/// print(reports[0].message)
/// ```
///
/// ```text output
/// 1 failure
/// The settled state after 2 is not as expected. From what was expected to what it is:
///
///     3 → 2
/// ```
public struct TestReport: Sendable, CustomStringConvertible {
    /// What kind of report it is.
    public enum Kind: Sendable, Hashable {
        /// Makes the test fail.
        case failure
        /// Is shown, and the test goes on as before.
        case note
    }

    /// Whether it makes the test fail.
    public let kind: Kind
    /// What is wrong, and what to do about it; several lines.
    public let message: String
    let place: TestPlace

    /// The file that it is about, as `#fileID` gives it.
    public var fileID: String { "\(place.fileID)" }
    /// The file that it is about, as `#filePath` gives it.
    public var filePath: String { "\(place.filePath)" }
    /// The line that it is about, from 1.
    public var line: Int { Int(place.line) }
    /// The column that it is about, from 1.
    public var column: Int { Int(place.column) }

    /// The place and the message.
    public var description: String {
        "\(fileID):\(line): " + (kind == .note ? "note: " : "") + message
    }
}

// MARK: - Reporting elsewhere

extension TestReport {
    /// Calls `body`, and returns what the kit reports meanwhile, in order; none of it makes the running test fail.
    ///
    /// What is reported when this has returned, by a task that goes on or a test system that lives on, does.
    ///
    /// - Parameter body: What it calls in turn, and the tasks that it starts, are included.
    public static func collect(_ body: () throws -> Void) rethrows -> [TestReport] {
        let collection = Collection()
        defer { _ = collection.close() }
        try Reporter.$current.withValue(collection.reporter, operation: body)
        return collection.close()
    }

    /// Calls `body`, and returns what the kit reports meanwhile, in order; none of it makes the running test fail.
    ///
    /// What is reported when this has returned, by a task that goes on or a test system that lives on, does.
    ///
    /// - Parameter body: What it calls in turn, and the tasks that it starts, are included.
    public static func collect(_ body: () async throws -> Void) async rethrows -> [TestReport] {
        let collection = Collection()
        defer { _ = collection.close() }
        try await Reporter.$current.withValue(collection.reporter, operation: body)
        return collection.close()
    }

    /// Reports, until it is closed.
    private final class Collection: Sendable {
        private let reports = Lock<[TestReport]?>([])

        /// Keeps reports, and passes those that are too late to the one that was there before.
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

    /// Calls `body`, and has the kit report to `report` meanwhile, in place of the running test.
    ///
    /// Test systems that `body` makes, and what ``unimplemented(_:fileID:filePath:line:column:)`` gives it, report there
    /// later, too, unless another reporter is in force then: a thread that knows of no task still finds it.
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
    ///   - report: Called with every failure and every note, on the thread on which it is made.
    ///   - body: What it calls in turn, and the tasks that it starts, are included.
    /// - Returns: What `body` returns.
    public static func withReporter<Result>(
        _ report: @escaping @Sendable (TestReport) -> Void, _ body: () throws -> Result
    ) rethrows -> Result {
        try Reporter.$current.withValue(Reporter(receive: report), operation: body)
    }

    /// Calls `body`, and has the kit report to `report` meanwhile, in place of the running test.
    ///
    /// - Parameters:
    ///   - report: Called with every failure and every note, on the thread on which it is made.
    ///   - body: What it calls in turn, and the tasks that it starts, are included.
    /// - Returns: What `body` returns.
    public static func withReporter<Result>(
        _ report: @escaping @Sendable (TestReport) -> Void, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Reporter.$current.withValue(Reporter(receive: report), operation: body)
    }
}

/// Where reports go in place of the running test.
struct Reporter: Sendable {
    let receive: @Sendable (TestReport) -> Void

    @TaskLocal static var current: Reporter?
}
