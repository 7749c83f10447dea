import Foundation
import Testing

@testable import ProductPage

@Suite(.timeLimit(.minutes(10))) struct AnalyticsFileTests {
    @Test("PK-30: --analytics writes a JSON line for every tracked event, first entry included, and appends")
    func script() async throws {
        let home = try TemporaryFolder()
        // With this seed the shop answers the first question and the fourth.
        let outcome = try await ToolRun(in: home).run(
            "--latency", "0", "--fail-rate", "0.5", "--seed", "8", "--events", "load,load,load,load",
            "--analytics", "a.jsonl")
        #expect(outcome.code == 0)
        let loading = #"{"event":"page_loading"}"#
        let loaded = #"{"event":"product_loaded","product":"LMP-1"}"#
        let error = "bundled catalogue: the shop does not answer; try again"
        let failed = #"{"error":"\#(error)","event":"page_error","product":"LMP-1"}"#
        let script = [
            #"{"event":"page_shown"}"#, loading, loaded, loading, failed, loading, failed, loading, loaded,
        ]
        #expect(try home.read("a.jsonl").split(separator: "\n").map(String.init) == script)

        let again = try await ToolRun(in: home).run("gone.json", "--analytics=a.jsonl")
        #expect(again.code == 66)
        #expect(
            try home.read("a.jsonl").split(separator: "\n").map(String.init) == script + [
                #"{"event":"page_shown"}"#, loading,
                #"{"error":"gone.json: no such file","event":"page_error"}"#,
            ])
    }

    @Test("a file that cannot be written is an error before anything is shown")
    func unwritable() async throws {
        for events in [[], ["--json"], ["--events=load,add"]] {
            let home = try TemporaryFolder()
            let outcome = try await ToolRun(in: home).run(
                ["--analytics", "no/a.jsonl", "--latency=0"] + events)
            let line = "product-page: analytics no/a.jsonl: cannot be written: no such file\n"
            #expect(outcome == Outcome(code: 1, output: "", errors: line))
            #expect(try home.names() == [])
        }
        try await expectFailure(
            "--analytics", ".", code: 1, saying: "analytics .: cannot be written: is a directory")
    }

    @Test("a pipe that nobody reads is an error, and one that is full is told once: the page never waits")
    func pipes() async throws {
        let home = try TemporaryFolder()
        #expect(mkfifo(home.file("pipe"), 0o600) == 0)
        let arguments = ["--latency", "0", "--events", "load,next", "--analytics", "pipe"]
        let unread = try await ToolRun(in: home).run(arguments)
        let line = "product-page: analytics pipe: cannot be written: "
        #expect(unread == Outcome(code: 1, output: "", errors: line + "nobody reads from it\n"))

        let descriptor = open(home.file("pipe"), O_RDWR | O_NONBLOCK | O_CLOEXEC)
        defer { close(descriptor) }
        let rubbish = [UInt8](repeating: 0, count: 4096)
        while write(descriptor, rubbish, rubbish.count) > 0 {}
        let full = try await ToolRun(in: home).run(arguments)
        #expect(full.lines.count == 4)
        #expect(full.errors == line + "whoever reads from it is too slow\n")
        #expect(full.code == 0)
    }

    #if os(Linux)
        @Test("a disk that fills up is told once, and does not end the page")
        func fullDisk() async throws {
            let home = try TemporaryFolder()
            let outcome = try await ToolRun(in: home).run(
                "--analytics", "/dev/full", "--latency", "0", "--events", "load,next")
            #expect(outcome.lines.count == 4)
            #expect(
                outcome.errors
                    == "product-page: analytics /dev/full: cannot be written: no space left on the disk\n")
            #expect(outcome.code == 0)
        }
    #endif
}
