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

/// Reports a failure at a place; by default, this fails the running test.
package func fail(_ message: String, _ place: TestPlace, attachments: [TestReport.Attachment] = []) {
    TestReport(kind: .failure, message: message, attachments: attachments, place: place).make()
}

/// Reports a note at a place, which does not fail the test.
package func note(_ message: String, _ place: TestPlace) {
    TestReport(kind: .note, message: message, place: place).make()
}

extension TestPlace {
    fileprivate var location: SourceLocation {
        SourceLocation(fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
    }
}

extension TestReport {
    fileprivate func make() { make(for: Reporter.current ?? place.reporter) }

    /// Delivers the report.
    ///
    /// - Parameter reporter: The reporter to call; nil for the running test.
    func make(for reporter: Reporter?) {
        if let reporter { return reporter.receive(self) }
        switch kind {
        case .failure: TestFramework.fail(self)
        case .note: TestFramework.note(self)
        }
    }

    fileprivate func print() { FileHandle.standardError.write(Data("\(self)\n".utf8)) }
}

/// The test framework that runs in this process.
enum TestFramework {
    case swiftTesting, xctest, none

    static var running: TestFramework {
        if Test.current != nil { return .swiftTesting }
        // On a thread that a test has created, `Test.current` is nil. Each framework runs in its own process, which an
        // argument of the process names. An issue recorded without a test fails the whole run.
        let arguments = CommandLine.arguments
        if let option = arguments.firstIndex(of: "--testing-library"), option + 1 < arguments.count {
            return arguments[option + 1] == "swift-testing" ? .swiftTesting : .xctest
        }
        return isInBundle ? .xctest : .none
    }

    /// Fails the test in the running framework. If there is none, or XCTest ignores the failure, it prints the report
    /// and exits the process, so that no failure is silent.
    fileprivate static func fail(_ report: TestReport) {
        let place = report.place
        switch running {
        case .swiftTesting:
            Issue.record(Comment(rawValue: report.message), sourceLocation: place.location)
            for attachment in report.attachments {
                Attachment.record(attachment.text, named: attachment.name, sourceLocation: place.location)
            }
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

/// Counts the failures that XCTest records. It ignores those between two tests and after the last one.
private enum XCTestFailures: Sendable {
    #if canImport(Darwin)
        /// On Darwin, XCTest records every failure.
        static var count: Int { Int(counted.wrappingAdd(1, ordering: .relaxed).newValue) }
        private static let counted = Atomic(0)
    #else
        static var count: Int { observer.count.load(ordering: .relaxed) }

        private static let observer: FailureObserver = {
            let observer = FailureObserver()
            XCTestObservationCenter.shared.addTestObserver(observer)
            return observer
        }()

        private final class FailureObserver: XCTestObservation, Sendable {
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
