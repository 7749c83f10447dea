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
internal import Testing
internal import XCTest

/// Where a test asks for something: what a failure is told at.
struct TestPlace: Sendable {
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt

    init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
        (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
    }

    fileprivate var location: SourceLocation {
        SourceLocation(fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
    }
}

/// Makes the running test fail at a place, in whichever framework it runs; where none runs, the process ends. A failure
/// is never silent.
func fail(_ message: String, _ place: TestPlace) {
    switch TestFramework.running {
    case .swiftTesting: Issue.record(Comment(rawValue: message), sourceLocation: place.location)
    case .xctest: XCTFail(message, file: place.filePath, line: place.line)
    case .none:
        FileHandle.standardError.write(Data("\(place.fileID):\(place.line): \(message)\n".utf8))
        exit(EXIT_FAILURE)
    }
}

/// Says something about a test that is no failure.
func note(_ message: String, _ place: TestPlace) {
    if case .swiftTesting = TestFramework.running {
        Issue.record(Comment(rawValue: message), severity: .warning, sourceLocation: place.location)
    } else {
        FileHandle.standardError.write(Data("\(place.fileID):\(place.line): note: \(message)\n".utf8))
    }
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

    private static let isInBundle: Bool =
        CommandLine.arguments.first?.hasSuffix(".xctest") ?? false
        || ProcessInfo.processInfo.environment["XCTestConfigurationFilePath"] != nil
        || ProcessInfo.processInfo.processName == "xctest"
}
