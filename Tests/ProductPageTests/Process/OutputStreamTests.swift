import Foundation
import Testing

@testable import ProductPage

@Suite(.timeLimit(.minutes(10))) struct OutputStreamTests {
    @Test(
        "when nobody reads the output, it ends quietly, as if by the signal",
        arguments: [["--list"], ["--help"], ["--events", "load,next,next"]])
    func closedPipe(arguments: [String]) async throws {
        let home = try TemporaryFolder()
        let pipe = Channel()
        pipe.closeReading()
        let outcome = try await ToolRun(in: home).run(
            arguments + ["--latency", "0"], output: pipe.writing)
        #expect(outcome == Outcome(code: 128 + SIGPIPE, output: "", errors: ""))
    }

    @Test("the same where the signal is ignored")
    func closedPipeWithoutSignal() async throws {
        let home = try TemporaryFolder()
        let pipe = Channel()
        pipe.closeReading()
        let outcome = try await ToolRun(in: home, after: "trap '' PIPE").run(
            ["--list", "--latency", "0"], output: pipe.writing)
        #expect(outcome == Outcome(code: 128 + SIGPIPE, output: "", errors: ""))
    }

    @Test("an output that is closed is an error, and no file takes its place")
    func closedOutput() async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home, after: "exec >&-").run(
            "--latency", "0", "--analytics", "a.jsonl")
        #expect(outcome.code == 1)
        #expect(outcome.errors == "product-page: standard output: Bad file descriptor\n")
        let line = #"{"event":"product_loaded","product":"LMP-1","time":""#
        #expect(try home.read("a.jsonl").hasPrefix(line) && home.read("a.jsonl").hasSuffix("Z\"}\n"))
    }

    #if os(Linux)
        @Test(
            "output that cannot be written is an error, not a success",
            arguments: [[], ["--list"], ["--version"], ["--json"]])
        func fullDisk(arguments: [String]) async throws {
            let home = try TemporaryFolder()
            let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
            let outcome = try await ToolRun(in: home).run(arguments + ["--latency", "0"], output: full)
            #expect(
                outcome
                    == Outcome(
                        code: 1, output: "",
                        errors: "product-page: standard output: no space left on the disk\n"))
        }
    #endif
}
