import Foundation
import PromisedRecording

/// A recording of any content: values, their differences, and the states of all turns, in every direction.
enum RecordingTarget {
    private static let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl").path
    /// Put before an input that does not begin as a recording.
    private static let beginning = """
        {"n":0,"k":"recording","format":"promised-recording","version":1}
        {"n":0,"k":"system","s":1,"name":"a","exact":["state"],"v":{"rows":[1,{"id":2}],"text":""}}

        """

    static func check(_ input: [UInt8]) {
        let values = input.split(separator: 0x0A).prefix(2).compactMap { try? JSONValue(parsing: Array($0)) }
        if let first = values.first, let last = values.last { checkValues(first, last) }
        let isWhole = input.starts(with: Array(#"{"n":0,"k":"recording""#.utf8))
        FileManager.default.createFile(
            atPath: path, contents: Data((isWhole ? [] : Array(beginning.utf8)) + input))
        guard
            let recording = try? Recording(contentsOf: path, limits: .init(lineBytes: 40_000, values: 5_000)),
            let problems = try? recording.problems(),
            let name = recording.systems.first(where: \.canBePlayedBack)?.name
        else { return }
        expect(problems == (try? recording.problems()), "reading is deterministic")
        expect(
            problems.map(\.line) == problems.map(\.line).sorted(), "problems are in the order of their lines")
        checkPlayback(recording, name, isWhole: problems.isEmpty)
        // A page takes longer than all the rest.
        if input.count % 16 == 0 { checkReports(recording, name) }
    }

    private static func checkReports(_ recording: Recording, _ name: String) {
        let page = (try? recording.html()) ?? ""
        expect(
            page.components(separatedBy: "<script").count == page.components(separatedBy: "</script>").count,
            "scripts are closed")
        let summary = (try? recording.summary()) ?? ""
        expect(
            !summary.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" },
            "a terminal gets no control characters")
        for text in [try? recording.reduxDevTools(of: name), try? recording.chromeTrace()] {
            expect(text.map { (try? JSONValue(parsing: Array($0.utf8))) != nil } ?? true, "exports are JSON")
        }
    }

    private static func checkValues(_ old: JSONValue, _ new: JSONValue) {
        expect((try? JSONValue(parsing: Array(new.text.utf8))) == new, "what is written is read: \(new)")
        let patch = ValuePatch(from: old, to: new)
        let read = try? ValuePatch(json: JSONValue(parsing: Array(patch.json.text.utf8)))
        expect((try? read?.applied(to: old)) == new, "a difference makes the new value: \(old) \(new)")
        // Of an input that is no difference, nothing is expected but an end.
        _ = try? ValuePatch(json: new).applied(to: old)
    }

    private static func checkPlayback(_ recording: Recording, _ name: String, isWhole: Bool) {
        guard var playback = try? recording.playback(of: name, [String: [Int]].self) else { return }
        var states: [RecordedState] = [playback.recordedState]
        while states.count < 50, (try? playback.step()) == true { states.append(playback.recordedState) }
        for turn in states.indices.reversed() {
            let seeking = try? recording.playback(of: name, Int.self)
            guard var seeking, (try? seeking.seek(to: recording.turns.lowerBound + turn)) != nil else {
                continue
            }
            expect(
                !isWhole || seeking.recordedState == states[turn], "seeking shows the state of turn \(turn)")
            expect(
                !isWhole || playback.recordedState == states[turn],
                "going back shows the state of turn \(turn)")
            _ = (try? playback.state, try? playback.changes, try? playback.stepBack())
        }
        try? playback.seek(to: recording.turns.upperBound)
    }
}
