/// A line of a recording that cannot be read. The lines before and after it can.
public struct RecordingProblem: Sendable, Hashable, CustomStringConvertible {
    /// The path of the file, as it was given.
    public let path: String
    /// The number of the line, from 1.
    public let line: Int
    /// The fault of the line.
    public let reason: String

    /// The file, the line, the fault, and its consequence.
    public var description: String {
        "\(path):\(line): \(reason). States are known again from the next full state on.".escapedForTerminal
    }
}

/// Why a recording, or a part of it, cannot be used.
public enum RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file cannot be opened or read.
    case unreadable(path: String, reason: String)
    /// The first line of the file is not that of a recording.
    case noRecording(path: String)
    /// The recording has a newer format.
    case newer(path: String, version: Int)
    /// No system of that name was recorded.
    case unknownSystem(path: String, name: String, known: [String])
    /// The states of the system were recorded as text only, or all texts in them were masked.
    case textOnly(path: String, name: String, state: String)
    /// The recording does not have that turn.
    case unknownTurn(path: String, turn: Int, turns: ClosedRange<Int>)
    /// The system's state at that turn is not known; the problem says since which line, and why.
    case unknownState(turn: Int, RecordingProblem)
    /// The closure that was to make the system made none of that type on the scheduler that it was given.
    case notRun(path: String, name: String, type: String)
    /// The recorded state is no value of the type.
    case undecodable(path: String, turn: Int, type: String, reason: String)
    /// The program does not come to that turn by what the recording has until then.
    case notReached(path: String, turn: Int, reason: String)

    /// The fault, its place, and the way out. Control characters of the recording are escaped.
    public var description: String { text.escapedForTerminal }

    private var text: String {
        switch self {
        case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)."
        case .noRecording(let path):
            """
            \(path):1: the first line is not that of a recording. If it was damaged, put that of another recording of \
            the same program in its place.
            """
        case .newer(let path, let version):
            "\(path):1: the recording has format \(version), this library reads up to \(RecordingHeader.version). "
                + "Read it with the library that made it, or a newer one."
        case .unknownSystem(let path, let name, let known):
            known.isEmpty
                ? "\(path): no system '\(name)' was recorded: the file has no whole line of a system."
                : "\(path): no system '\(name)' was recorded, but \(known.prefix(20).joined(separator: ", "))"
                    + (known.count > 20 ? " and \(known.count - 20) more." : ".")
        case .textOnly(let path, let name, let state):
            "\(path): '\(name)' was recorded as text, because \(state) was not Codable, or all texts were masked. "
                + "Make it Codable, and record again without masking texts."
        case .unknownTurn(let path, let turn, let turns):
            "\(path): there is no turn \(turn). The recording has \(turns.lowerBound) to \(turns.upperBound)."
        case .unknownState(let turn, let problem):
            "The state at turn \(turn) is not known since \(problem)"
        case .notRun(let path, let name, let type):
            "\(path): '\(name)' is not run again: no \(type) was made on the scheduler of the replay. Pass the given "
                + "scheduler to the system."
        case .notReached(let path, let turn, let reason):
            "\(path): turn \(turn) is not reached: \(reason). "
                + "Recording.run names the first difference between the recording and the program."
        case .undecodable(let path, let turn, let type, let reason):
            "\(path): the state at turn \(turn) is no \(type): \(reason). "
                + "Decode it as the type that was recorded, or give the changed part an init(from:) that reads both."
        }
    }
}
