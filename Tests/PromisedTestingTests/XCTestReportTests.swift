#if os(Linux)
    import Foundation
    import PromisedTesting
    import TestSupport
    import Testing
    import XCTest

    /// Failures in XCTest, which ignores an issue of the other framework, and also its own issues outside of a test.
    @Suite(.tags(.sharedState)) struct XCTestReportTests {
        @Test("SR-43: in a test of XCTest, failures are those of that test") func inTest() throws {
            let run = try Run("testInTest")
            #expect(run.hasFailed)
            #expect(run.text.contains("error: FailsOnDemandTests.testInTest : failed - Nothing was tried"))
            #expect(run.text.contains("Executed 1 test, with 1 failure"))
        }

        @Test("SR-43: on another thread in a test of XCTest, failures are those of that test, too")
        func onThread() throws {
            let run = try Run("testOnThread")
            #expect(run.hasFailed)
            #expect(run.text.contains("error: FailsOnDemandTests.testOnThread : failed - Nothing was tried"))
        }

        @Test(
            "SR-43: between two XCTest tests, where XCTest ignores issues, the process prints the failure and fails"
        )
        func betweenTests() throws {
            let run = try Run("testNothing", "afterwards")
            #expect(run.hasFailed)
            #expect(run.text.contains("PromisedTestingTests/XCTestReportTests.swift:"))
            #expect(run.text.contains(": Nothing was tried"))
        }

        @Test("SR-43: without a failure, those tests pass") func none() throws {
            #expect(try !Run("testNothing").hasFailed)
        }
    }

    /// Runs this process again, with one test of ``FailsOnDemandTests``.
    private struct Run {
        let hasFailed: Bool
        let text: String

        init(_ test: String, _ demand: String = "here") throws {
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(filePath: CommandLine.arguments[0])
            process.arguments = ["PromisedTestingTests.FailsOnDemandTests/\(test)"]
            process.environment = ProcessInfo.processInfo.environment.merging(["FAILS_ON_DEMAND": demand]) {
                $1
            }
            (process.standardOutput, process.standardError) = (pipe, pipe)
            try process.run()
            text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            hasFailed = process.terminationStatus != 0
        }
    }

    /// Tests that fail in a subprocess, and pass everywhere else.
    final class FailsOnDemandTests: XCTestCase {
        private static var demand: String? { ProcessInfo.processInfo.environment["FAILS_ON_DEMAND"] }

        override class func tearDown() { if demand == "afterwards" { checkLaws([]) } }

        func testNothing() {}

        func testInTest() { if Self.demand == "here" { checkLaws([]) } }

        func testOnThread() {
            guard Self.demand == "here" else { return }
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                checkLaws([])
                done.signal()
            }
            done.wait()
        }
    }
#endif
