import Foundation
import TestSupport
import Testing

/// Sessions that the tool records, runs again and shows.
@Suite(.tags(.noSharedState)) struct RecordingRunTests: ~Copyable {
    private static let events = "load,add,wait,next,add,wait,refresh,wait,remove,wait"
    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder([:]) }

    private func record(_ events: String = events) async throws -> Outcome {
        try await home.run("--events \(events) --latency 0 --cart cart.json --record session.jsonl")
    }

    @Test("a session that was recorded is the same when it is run again, and asks neither shop nor disk")
    func replayed() async throws {
        #expect(try await record().code == 0)
        let cart = try String(contentsOfFile: "\(home.path)/cart.json", encoding: .utf8)
        let outcome = try await home.run("replay session.jsonl --fail-rate 1 --cart cart.json")
        #expect(outcome == Outcome(0, "session.jsonl: 'page' 6 turns are as recorded.\n"))
        #expect(try String(contentsOfFile: "\(home.path)/cart.json", encoding: .utf8) == cart)
    }

    @Test("a page that shows another product first differs from the first turn on, and the exit code says so")
    func differs() async throws {
        _ = try await record()
        let outcome = try await home.run("replay session.jsonl --product tea")
        #expect(outcome.code == 1)
        #expect(outcome.output.hasPrefix("session.jsonl: 'page' differs at turn 1 "), "\(outcome.output)")
        #expect(outcome.output.contains("index: 0 → 1"), "\(outcome.output)")
    }

    @Test("a session that ends with an unknown event is recorded up to there") func endedByMistake()
        async throws
    {
        let options = "--events - --latency 0 --record session.jsonl"
        #expect(try await home.run(options, input: "load\nwait\nadd\nremov\n").code == 64)
        let outcome = try await home.run("replay session.jsonl")
        #expect(outcome == Outcome(0, "session.jsonl: 'page' 2 turns are as recorded.\n"))
        let recording = try String(contentsOfFile: "\(home.path)/session.jsonl", encoding: .utf8)
        #expect(recording.split(separator: "\n").last?.contains(#""k":"end""#) == true)
    }

    @Test("all recordings of a folder are run, of which the first version of the format has one")
    func folder() async throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Recordings").path
        let outcome = try await home.run(["replay", folder])
        #expect(outcome.code == 0)
        #expect(outcome.lines.last?.hasPrefix("1 of 1 recordings in ") == true, "\(outcome.output)")
    }

    @Test("a file that cannot be read does not keep the others from being run, and fails the command")
    func several() async throws {
        _ = try await record("load,wait")
        let outcome = try await home.run("replay missing.jsonl session.jsonl")
        #expect(outcome.code == 1)
        #expect(outcome.output == "session.jsonl: 'page' 1 turn is as recorded.\n")
        #expect(outcome.errors.contains("missing.jsonl cannot be read"))
    }

    @Test(
        "of several recordings and folders all are run, and the exit code is that of the worst",
        arguments: ["session.jsonl none", "none session.jsonl", "session.jsonl none session.jsonl"])
    func worst(names: String) async throws {
        _ = try await record()
        try FileManager.default.createDirectory(
            atPath: "\(home.path)/none", withIntermediateDirectories: false)
        let outcome = try await home.run("replay \(names)")
        #expect(outcome.code == 2)
        #expect(
            outcome.lines.count { $0.hasSuffix("6 turns are as recorded.") } == names.split(separator: " ")
                .count - 1)
    }

    @Test("a report is a page of the session, beside it or where it is asked for")
    func report() async throws {
        _ = try await record()
        #expect(try await home.run("report session.jsonl") == Outcome(0, "session.jsonl.html\n"))
        #expect(try await home.run("report session.jsonl -o page.html") == Outcome(0, "page.html\n"))
        let page = try String(contentsOfFile: "\(home.path)/page.html", encoding: .utf8)
        #expect(page.contains("Content-Security-Policy") && page.contains("Ålesund desk lamp"))
    }

    @Test(
        "a command that makes no sense names the file or the way out",
        arguments: [
            ("replay", 64, "replay needs recordings"), ("report", 64, "report needs one recording"),
            ("report a -o b -o c", 64, "-o is for the page"), ("report a -o", 64, "-o is for the page"),
            ("report a b", 64, "report needs one recording"), ("replay a -o b", 64, "-o is for the page"),
            ("replay missing.jsonl", 1, "missing.jsonl cannot be read"),
            ("replay cart.json", 1, "the first line is not that of a recording"),
            ("--events load --record session.jsonl", 1, "session.jsonl is a recording already"),
            ("--events load --record no/folder.jsonl", 1, "no/folder.jsonl cannot be written"),
            ("watch --record a.jsonl", 64, "watch takes no --record"),
            ("replay session.jsonl --events load", 64, "replay and report take no --events"),
            ("report session.jsonl --record a.jsonl", 64, "replay and report take no --record"),
            ("replay session.jsonl --json other.jsonl", 64, "the files of replay and report come first"),
            ("replay --product tea", 64, "the files of replay and report come first"),
            ("report .", 1, "it is a folder"), ("report session.jsonl -o .", 1, ". cannot be written: "),
            ("report session.jsonl -o /dev/full", 1, "/dev/full cannot be written: no space left"),
            ("report session.jsonl -o ./session.jsonl", 64, "the page would replace the recording"),
        ])
    func refused(command: String, code: Int32, message: String) async throws {
        _ = try await record("load,add,wait")
        let outcome = try await home.run(command)
        #expect(outcome.code == code && outcome.errors.contains(message), "\(outcome.errors)")
    }
}
