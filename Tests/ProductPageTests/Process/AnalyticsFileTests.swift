import Foundation
import Testing

@testable import ProductPage

@Suite(.timeLimit(.minutes(10))) struct AnalyticsFileTests {
    @Test("PK-30: --analytics writes a JSON line for every tracked event, with its time, and appends")
    func script() async throws {
        let home = try TemporaryFolder()
        // With this seed the shop answers the first question and the fourth.
        let outcome = try await ToolRun(in: home).run(
            "--latency", "0", "--fail-rate", "0.5", "--seed", "8", "--events", "load,load,load,load",
            "--analytics", "a.jsonl")
        #expect(outcome.code == 0)
        let loaded = #"{"event":"product_loaded","product":"LMP-1"}"#
        let error = "bundled catalogue: the shop does not answer; try again"
        let failed = #"{"error":"\#(error)","event":"page_error","product":"LMP-1"}"#
        let script = [loaded, failed, failed, loaded]
        let now = Date()
        #expect(try lines(home, until: now) == script)

        let again = try await ToolRun(in: home).run("gone.json", "--analytics=a.jsonl")
        #expect(again.code == 66)
        #expect(
            try lines(home, until: Date()) == script + [
                #"{"error":"gone.json: no such file","event":"page_error"}"#
            ])
    }

    /// The lines without their times, which are checked.
    private func lines(_ home: borrowing TemporaryFolder, until now: Date) throws -> [String] {
        try home.read("a.jsonl").split(separator: "\n").map { line in
            let parts = line.split(separator: #","time":""#)
            let time = try Date(String(parts[1].dropLast(2)), strategy: .iso8601)
            #expect(time <= now && time > now.addingTimeInterval(-600))
            return parts[0] + "}"
        }
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

    @Test("a pipe without a reader is an error, and one that is full is said once: the page never waits")
    func pipes() async throws {
        let home = try TemporaryFolder()
        #expect(mkfifo(home.file("pipe"), 0o600) == 0)
        let arguments = ["--latency", "0", "--events", "load,next", "--analytics", "pipe"]
        let unread = try await ToolRun(in: home).run(arguments)
        let line = "product-page: analytics pipe: cannot be written: "
        #expect(unread == Outcome(code: 1, output: "", errors: line + "it is a pipe without a reader\n"))

        let descriptor = open(home.file("pipe"), O_RDWR | O_NONBLOCK | O_CLOEXEC)
        defer { close(descriptor) }
        let rubbish = [UInt8](repeating: 0, count: 4096)
        while write(descriptor, rubbish, rubbish.count) > 0 {}
        let full = try await ToolRun(in: home).run(arguments)
        #expect(full.lines.count == 4)
        #expect(full.errors == line + "its reader is too slow\n")
        #expect(full.code == 0)
    }

    #if os(Linux)
        @Test("a disk that fills up is said once, and does not end the page")
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
