import Foundation
import PromisedExploring
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// What a failing test carries, and what an exploration prints.
@Suite(.tags(.noSharedState)) struct AttachmentTests {
    @Test("the failure of a check carries the trace, the diagram and the page") func check() throws {
        let explorer = Saving.explorer(.keepsSpinner)
        let exploration = explorer.explore(depth: 4)
        let report = try #require(TestReport.collect { explorer.check(depth: 4) }.first)
        #expect(report.attachments.map(\.name) == ["trace.json", "diagram.mmd", "report.html"])
        #expect(
            report.attachments.map(\.text) == [
                exploration.counterexample?.json, exploration.diagram().mermaid, exploration.html(),
            ])
    }

    @Test("the failure of a replay, and of random walks, carries the trace") func replay() {
        let explorer = Saving.explorer(.keepsSpinner)
        let reports = TestReport.collect {
            explorer.replay(.send(.save), .answer("disk", "disk full"))
            explorer.check(walks: 9, length: 40, seed: 3)
        }
        #expect(reports.map { $0.attachments.map(\.name) } == [["trace.json"], ["trace.json"]])
    }

    #if os(Linux)
        @Test("Swift Testing writes the attachments of a failing test") func written() throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "attached-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let run = try Run("fails", ["--attachments-path", folder.path(percentEncoded: false)])
            #expect(run.hasFailed)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.path(percentEncoded: false))
            #expect(names.sorted() == ["diagram.mmd", "report.html", "trace.json"])
            #expect(
                try String(contentsOf: folder.appending(path: "trace.json"), encoding: .utf8)
                    == Saving.explorer(.keepsSpinner).explore(depth: 4).counterexample?.json)
        }

        @Test("progress is not printed where standard error is no terminal") func silent() throws {
            #expect(try !Run("explores").text.contains("Exploring:"))
        }

        @Test(
            "progress is printed where standard error is a terminal",
            .enabled(if: FileManager.default.isExecutableFile(atPath: Run.script)))
        func progress() throws {
            #expect(
                try Run("explores", onTerminal: true).text
                    .contains("Exploring: depth 2, 10000 transitions, 100 configurations"))
        }
    #endif
}

/// Tests that do something only in a subprocess.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["EXPLORES_ON_DEMAND"] != nil))
struct OnDemandTests {
    @Test func fails() { Saving.explorer(.keepsSpinner).check(depth: 4) }

    @Test func explores() {
        let explorer = Explorer<Int, Int>(events: Array(0..<100)) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
        }
        _ = explorer.explore(depth: 3)
    }
}

#if os(Linux)
    /// Runs one of ``OnDemandTests`` in a process of its own.
    struct Run {
        /// Runs a command on a terminal.
        static let script = "/usr/bin/script"

        let hasFailed: Bool
        let text: String

        init(_ test: String, _ options: [String] = [], onTerminal: Bool = false) throws {
            let process = Process()
            let pipe = Pipe()
            let arguments =
                [
                    CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter",
                    "OnDemandTests/\(test)",
                ]
                + options
            process.executableURL = URL(filePath: onTerminal ? Self.script : "/usr/bin/env")
            process.arguments =
                onTerminal ? ["-qec", arguments.joined(separator: " "), "/dev/null"] : arguments
            process.environment = ProcessInfo.processInfo.environment.merging(["EXPLORES_ON_DEMAND": "1"]) {
                $1
            }
            (process.standardOutput, process.standardError) = (pipe, pipe)
            try process.run()
            text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            hasFailed = process.terminationStatus != 0
        }
    }
#endif
