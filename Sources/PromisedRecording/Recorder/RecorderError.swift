public import Promise

/// Why a session is not recorded, or not any more.
public enum RecorderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another recorder, of this process or another one, writes to the file.
    case inUse(path: String)
    /// The file exists. A recording is continued with `appending`; other files are left as they are.
    case exists(path: String, isRecording: Bool)
    /// The file cannot be created, opened or continued.
    case unwritable(path: String, reason: String)
    /// A write has failed, such as on a full disk. The recording ends with the last whole line before.
    case stopped(path: String, reason: String)

    /// The fault, and the way out.
    public var description: String {
        switch self {
        case .inUse(let path):
            "\(path) is being written by another recorder. Finish that one, or record to another file."
        case .exists(let path, true):
            "\(path) is a recording already. Record to another file, or to .file(path, appending: true)."
        case .exists(let path, false): "\(path) exists, and is no recording. Record to another file."
        case .unwritable(let path, let reason): "\(path) cannot be written: \(reason)."
        case .stopped(let path, let reason):
            "The recording in \(path) has ended, because it could not be written: \(reason). The program continues."
        }
    }
}

extension RecorderError: PromiseDiagnostics.Problem {
    /// One line of text, with the place where the recorder was created.
    public func description(at origin: Origin) -> String {
        "\(description) The recorder was made at \(origin)."
    }
}
