import Foundation
import PromisedSystem
import TestSupport
import Testing

@testable import ProductPage
@testable import ProductReading
@testable import ToolSupport

/// Where the output goes: a reader that leaves, a disk that is full, a file of analytics.
@Suite(.timeLimit(.minutes(10)), .tags(.noSharedState)) struct OutputRunTests {
    @Test(
        "without a reader of the output it ends quietly, as if by the signal, also where that is ignored",
        arguments: [
            ("--list", nil), ("--help", nil), ("--events load,next,next", nil), ("--list", "trap '' PIPE"),
        ])
    func closedPipe(line: String, preparation: String?) async throws {
        let pipe = Channel()
        pipe.closeReading()
        let arguments = "\(line) --latency 0".split(separator: " ").map(String.init)
        let outcome = try await TemporaryFolder().run(
            arguments, after: preparation, handles: (nil, pipe.writing))
        #expect(outcome == Outcome(128 + SIGPIPE))
    }

    @Test("a pipe that does not wait gets all of it, however slowly it is read")
    func fullPipe() async throws {
        let pipe = Channel()
        let descriptor = pipe.writing.fileDescriptor
        try #require(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        let (lengths, line) = Promise<[Int]>.pending()
        Thread.detachNewThread { line.fulfill(sequence(state: pipe) { $0.readLine() }.map(\.utf8.count)) }
        #expect(Console.write([UInt8](repeating: UInt8(ascii: "x"), count: 300_000), to: descriptor))
        pipe.closeWriting()
        #expect(try await lengths.value == [300_000])
    }

    @Test("an output that is closed is an error, and no file takes its place")
    func closedOutput() async throws {
        let home = try TemporaryFolder()
        let outcome = try await home.run("--latency 0 --analytics a.jsonl", after: "exec >&-")
        #expect(outcome == Outcome(1, errors: "product-page: standard output: Bad file descriptor\n"))
        let line = #"{"event":"product_loaded","product":"LMP-1","time":""#
        #expect(try home.read("a.jsonl").hasPrefix(line) && home.read("a.jsonl").hasSuffix("Z\"}\n"))
    }

    #if os(Linux)
        @Test("output that cannot be written is an error", arguments: ["", "--list", "--version", "--json"])
        func fullDisk(line: String) async throws {
            let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
            let arguments = "\(line) --latency 0".split(separator: " ").map(String.init)
            let outcome = try await TemporaryFolder().run(arguments, handles: (nil, full))
            #expect(
                outcome == Outcome(1, errors: "product-page: standard output: no space left on the disk\n"))
        }
    #endif

    @Test("PK-30: --analytics writes a JSON line for every tracked event, with its time, and appends")
    func analytics() async throws {
        let home = try TemporaryFolder()
        // The lines have whole seconds.
        let before = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        // With this seed the shop answers the first question and the fourth.
        let outcome = try await home.run(
            "--latency 0 --fail-rate 0.5 --seed 8 --events load,load,load,load --analytics a.jsonl")
        #expect(outcome.code == 0)
        #expect(try await home.run("gone.json --analytics=a.jsonl").code == 66)
        let loaded = #"{"event":"product_loaded","product":"LMP-1"}"#
        let error = "bundled catalogue: the shop does not answer; try again"
        let failed = #"{"error":"\#(error)","event":"page_error","product":"LMP-1"}"#
        let gone = #"{"error":"gone.json: no such file","event":"page_error"}"#
        let now = Date()
        let lines = try home.read("a.jsonl").split(separator: "\n").map { line in
            let parts = line.split(separator: #","time":""#)
            let time = try Date(String(parts[1].dropLast(2)), strategy: .iso8601)
            #expect((before...now).contains(time))
            return String(parts[0]) + "}"
        }
        #expect(lines == [loaded, failed, failed, loaded, gone])
    }

    @Test("analytics that cannot be written are reported once, and neither end the page nor hold it up")
    func fullAnalytics() async throws {
        let home = try TemporaryFolder()
        #expect(mkfifo(home.file("pipe"), 0o600) == 0)
        let descriptor = open(home.file("pipe"), O_RDWR | O_NONBLOCK | O_CLOEXEC)
        defer { close(descriptor) }
        let filling = [UInt8](repeating: 0, count: 4096)
        while write(descriptor, filling, filling.count) > 0 {}
        var targets = ["pipe": "its reader is too slow"]
        #if os(Linux)
            targets["/dev/full"] = "no space left on the disk"
        #endif
        for (target, reason) in targets {
            let outcome = try await home.run("--latency 0 --events load,next --analytics \(target)")
            #expect(outcome.lines.count == 4 && outcome.code == 0)
            #expect(outcome.errors == "product-page: analytics \(target): cannot be written: \(reason)\n")
        }
    }
}
