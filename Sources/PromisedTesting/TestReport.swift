/// A failure or a note that the test kit reports about a test.
///
/// By default a failure fails the running test, in Swift Testing and in XCTest. A suite that asserts the reports, to
/// test its own helpers or laws, collects them instead:
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
    /// Whether a report is a failure or a note.
    public enum Kind: Sendable, Hashable {
        /// Fails the test.
        case failure
        /// Is shown without failing the test.
        case note
    }

    /// Whether the report fails the test.
    public let kind: Kind
    /// A text that belongs to a failure, such as a trace. Swift Testing attaches it to the test.
    public struct Attachment: Sendable, Hashable {
        /// The name of a file for it.
        public let name: String
        /// Its content.
        public let text: String

        package init(name: String, text: String) { (self.name, self.text) = (name, text) }
    }

    /// The text of the report: the problem and how to fix it. It may have several lines.
    public let message: String
    /// The texts that belong to the failure.
    public internal(set) var attachments: [Attachment] = []
    let place: TestPlace

    /// The file at which it is reported, in the format of `#fileID`.
    public var fileID: String { "\(place.fileID)" }
    /// The file at which it is reported, in the format of `#filePath`.
    public var filePath: String { "\(place.filePath)" }
    /// The line at which it is reported, from 1.
    public var line: Int { Int(place.line) }
    /// The column at which it is reported, from 1.
    public var column: Int { Int(place.column) }

    /// The file ID, the line and the message; a note is marked as one.
    public var description: String {
        "\(fileID):\(line): " + (kind == .note ? "note: " : "") + message
    }
}

/// The place in the source at which a failure is reported, usually a call in a test.
package struct TestPlace: Sendable {
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt
    /// The reporter in force when the place was recorded; nil for the running test.
    let reporter = Reporter.current

    package init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
        (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
    }
}

/// Receives reports in place of the running test.
struct Reporter: Sendable {
    let receive: @Sendable (TestReport) -> Void

    @TaskLocal static var current: Reporter?
}
