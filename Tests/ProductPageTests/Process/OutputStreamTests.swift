import Foundation
import PromisedSystem
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

    @Test("a pipe that does not wait gets all of it, however slowly it is read")
    func fullPipe() async throws {
        let pipe = Channel()
        let descriptor = pipe.writing.fileDescriptor
        try #require(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        let (lengths, line) = Promise<[Int]>.pending()
        Thread.detachNewThread {
            var lengths: [Int] = []
            while let text = pipe.readLine() { lengths.append(text.utf8.count) }
            line.fulfill(lengths)
        }
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 300_000)
        if let problem = Console.write(bytes, to: descriptor) { Issue.record("\(problem)") }
        pipe.closeWriting()
        #expect(try await lengths.value == [bytes.count])
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
