internal import Foundation

/// The results of running all recordings of a folder again.
public struct FolderResult: Sendable, CustomStringConvertible {
    /// The result of one recording.
    public enum Outcome: Sendable {
        /// It was run.
        case run(RunResult)
        /// It could not be run, for this reason.
        case failed(path: String, reason: String)

        /// Whether it was run, and everything was as recorded.
        public var isSame: Bool { if case .run(let result) = self { result.isSame } else { false } }
    }

    /// The path of the folder, as it was given.
    public let path: String
    /// One for each recording, in the order of the names.
    public let outcomes: [Outcome]

    /// For the process: 0 if all recordings were run and are the same, 1 if one is not, 2 if there is none.
    public var exitCode: Int32 { outcomes.isEmpty ? 2 : outcomes.allSatisfy(\.isSame) ? 0 : 1 }

    /// The result of each recording, and how many are the same.
    public var description: String {
        let texts = outcomes.map { outcome in
            switch outcome {
            case .run(let result): "\(result)"
            case .failed(let path, let reason): "\(path) cannot be run again: \(reason)"
            }
        }
        let same = outcomes.count { $0.isSame }
        let summary =
            outcomes.isEmpty
            ? "\(path) has no recording: no file in it ends with .jsonl."
            : "\(same) of \(outcomes.count) recordings in \(path) are the same."
        return (texts + [summary]).joined(separator: "\n")
    }
}

/// Runs all recordings of a folder with the program as it is now: in CI, a change that old sessions notice.
///
/// ```swift
/// import PromisedRecording
/// import PromisedSystem
///
/// func check() -> Int32 {
///     let result = replayFolder("Recordings") { recording in
///         try recording.run(Int.self, Int.self, as: "counter") { start in
///             System(initialState: start.state, scheduler: start.scheduler, reducer: { .value($0 + $1) })
///         }
///     }
///     print(result)
///     return result.exitCode
/// }
/// ```
///
/// - Parameters:
///   - path: The folder. Its files whose names end with `.jsonl` are run, in the order of their names; files of folders
///     inside it are not.
///   - run: Runs one recording: see ``Recording/run(_:_:as:tolerance:_:)``. Called on this thread; an error is the
///     outcome of that recording.
/// - Returns: The outcome of each, with an exit code.
public func replayFolder(_ path: String, _ run: (Recording) throws -> RunResult) -> FolderResult {
    let names: [String]
    do {
        names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
        return FolderResult(
            path: path, outcomes: [.failed(path: path, reason: "it is no folder that can be read")])
    }
    let outcomes = names.filter { $0.hasSuffix(".jsonl") }.sorted().map { name -> FolderResult.Outcome in
        let file = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
        do {
            return .run(try run(try Recording(contentsOf: file)))
        } catch {
            return .failed(path: file, reason: "\(error)")
        }
    }
    return FolderResult(path: path, outcomes: outcomes)
}
