import Foundation
import Promise
import PromisedSystem
import PromisedTesting

@testable import PromisedRecording

/// Records a session to a file of its own, which is removed with it.
final class RecordedSession: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl").path
    let recorder: SessionRecorder
    private let allProblems = Lock<[RecorderError]>([])

    init(_ mode: SessionRecorder.Mode = .all, redaction: Redaction = Redaction()) throws {
        recorder = try SessionRecorder(to: .file(path), mode: mode, redaction: redaction, program: "test") {
            [allProblems] error in allProblems.withLock { $0.append(error) }
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// What the recorder has reported.
    var problems: [RecorderError] { allProblems.withLock { $0 } }

    var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    /// Ends the recording and reads it.
    func recording() async throws -> Recording {
        await recorder.finish()
        return try openRecording()
    }

    func openRecording() throws -> Recording { try Recording(contentsOf: path) }

    /// Ends the recording and returns its facts as text, without places and times.
    func facts() async throws -> [String] { try await recording().factTexts() }
}

extension Recording {
    /// The facts as text, without places and times, as far as they are no full states.
    func factTexts() throws -> [String] {
        var texts: [String] = []
        try forEachFact { fact in
            let members =
                fact.fields.object?.filter { !["at", "d", "j", "s", "t", "w"].contains($0.key) } ?? []
            if ![.recording, .system, .place, .key, .end].contains(fact.kind) {
                texts.append("\(fact.turn) \(fact.kind) \(JSONValue.object(members).text)")
            }
            return true
        }
        return texts
    }
}
