#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#elseif canImport(Bionic)
    internal import Bionic
#elseif canImport(WASILibc)
    internal import WASILibc
#endif
internal import Foundation
internal import Synchronization
internal import Testing
internal import XCTest

/// Where a test asks for something: the place that a failure is reported for.
struct TestPlace: Sendable {
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt
    /// Where the reports of whatever was made here go.
    let reporter = Reporter.current

    init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
        (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
    }

    fileprivate var location: SourceLocation {
        SourceLocation(fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
    }
}

/// Makes the running test fail at a place.
func fail(_ message: String, _ place: TestPlace) {
    TestReport(kind: .failure, message: message, place: place).make()
}

/// Says something about a test that is no failure.
func note(_ message: String, _ place: TestPlace) {
    TestReport(kind: .note, message: message, place: place).make()
}

extension TestReport {
    fileprivate func make() { make(for: Reporter.current ?? place.reporter) }

    /// - Parameter reporter: Where it goes; nil for the running test.
    func make(for reporter: Reporter?) {
        if let reporter { return reporter.receive(self) }
        switch kind {
        case .failure: TestFramework.fail(self)
        case .note: TestFramework.note(self)
        }
    }

    fileprivate func print() { FileHandle.standardError.write(Data("\(self)\n".utf8)) }
}

/// What runs the tests of this process.
enum TestFramework {
    case swiftTesting, xctest, none

    static var running: TestFramework {
        if Test.current != nil { return .swiftTesting }
        // A thread of a test's own knows of no test. Each framework is run by itself, and told so; what is recorded
        // without a test makes the whole run fail.
        let arguments = CommandLine.arguments
        if let option = arguments.firstIndex(of: "--testing-library"), option + 1 < arguments.count {
            return arguments[option + 1] == "swift-testing" ? .swiftTesting : .xctest
        }
        return isInBundle ? .xctest : .none
    }

    /// In whichever framework runs; where none does, the process ends. A failure is never silent.
    fileprivate static func fail(_ report: TestReport) {
        let place = report.place
        switch running {
        case .swiftTesting: Issue.record(Comment(rawValue: report.message), sourceLocation: place.location)
        case .xctest:
            let count = XCTestFailures.count
            XCTFail(report.message, file: place.filePath, line: place.line)
            if XCTestFailures.count == count { end(report) }
        case .none: end(report)
        }
    }

    private static func end(_ report: TestReport) {
        report.print()
        exit(EXIT_FAILURE)
    }

    fileprivate static func note(_ report: TestReport) {
        guard case .swiftTesting = running else { return report.print() }
        Issue.record(
            Comment(rawValue: report.message), severity: .warning, sourceLocation: report.place.location)
    }

    private static let isInBundle: Bool =
        CommandLine.arguments.first?.hasSuffix(".xctest") ?? false
        || ProcessInfo.processInfo.environment["XCTestConfigurationFilePath"] != nil
        || ProcessInfo.processInfo.processName == "xctest"
}

/// Counts the failures that XCTest takes notice of: none that comes between two tests, or after the last one.
private enum XCTestFailures: Sendable {
    #if canImport(Darwin)
        /// It takes notice of all there.
        static var count: Int { Int(counted.wrappingAdd(1, ordering: .relaxed).newValue) }
        private static let counted = Atomic(0)
    #else
        static var count: Int { observer.count.load(ordering: .relaxed) }

        private static let observer: Observer = {
            let observer = Observer()
            XCTestObservationCenter.shared.addTestObserver(observer)
            return observer
        }()

        private final class Observer: XCTestObservation, Sendable {
            let count = Atomic(0)

            func testCase(
                _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
                atLine lineNumber: Int
            ) {
                count.add(1, ordering: .relaxed)
            }
        }
    #endif
}
