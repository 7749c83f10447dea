import Foundation
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// All recordings of a folder, run again.
@Suite(.tags(.sharedState)) final class ReplayFolderTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func replay(_ change: TeaRoom.Change?) -> FolderResult {
        replayFolder(folder) { recording in
            try recording.run(TeaRoom.Tables.self, TeaRoom.Step.self, as: "tables") {
                TeaRoom(change).system(on: $0.scheduler, from: $0.state)
            }
        }
    }

    @Test("Each recording is run, and the exit code says whether all are the same")
    func recordings() async throws {
        for name in ["b.jsonl", "a.jsonl"] {
            let session = try RecordedSession()
            _ = try await TeaRoom.record(by: session)
            try FileManager.default.copyItem(atPath: session.path, toPath: "\(folder)/\(name)")
        }
        let result = replay(nil)
        #expect(result.exitCode == 0)
        #expect(
            result.description == """
                \(folder)/a.jsonl: 'tables' 12 turns are as recorded.
                \(folder)/b.jsonl: 'tables' 12 turns are as recorded.
                2 of 2 recordings in \(folder) are the same.
                """)
        #expect(replay(.stateField).exitCode == 1)
    }

    @Test("A file that is no recording is an outcome of its own")
    func noRecording() async throws {
        try "no recording\n".write(toFile: "\(folder)/x.jsonl", atomically: true, encoding: .utf8)
        let result = replay(nil)
        #expect(result.exitCode == 1)
        #expect(result.description.contains("x.jsonl cannot be run again: "))
        // One that is the same does not make up for it.
        let session = try RecordedSession()
        _ = try await TeaRoom.record(by: session)
        try FileManager.default.copyItem(atPath: session.path, toPath: "\(folder)/y.jsonl")
        #expect(replay(nil).outcomes.map(\.isSame) == [false, true] && replay(nil).exitCode == 1)
    }

    @Test("A folder without recordings, or that does not exist, is no success")
    func noFolder() throws {
        #expect(replay(nil).exitCode == 2)
        #expect(replayFolder("\(folder)/missing") { _ in throw CancellationError() }.exitCode == 1)
    }
}
