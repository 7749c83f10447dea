/// Why a value could not be read or written, with the place where it is stored and the possible remedy.
public struct StorageError: Error, CustomStringConvertible {
    /// The operation that failed.
    public enum Operation: String, Sendable {
        /// The value was read from its storage.
        case read
        /// The value was written to its storage.
        case write = "written"
        /// The value was removed from its storage.
        case remove = "removed"
    }

    /// The reason.
    public enum Reason: Sendable {
        /// The system has refused it, with an error number and its meaning.
        case system(Int32, String)
        /// Something else than a file has that name, such as a folder.
        case notAFile
        /// There are so many bytes, and at most the limit are allowed.
        case tooLarge(Int, limit: Int)
        /// The data is not that of a value.
        case undecodable(any Error)
        /// The value has no data.
        case unencodable(any Error)
        /// The type of the value cannot be turned into data.
        case notEncodable
    }

    /// Where the value is stored: the path of its file, or its key.
    public let place: String
    /// The operation that failed.
    public let operation: Operation
    /// The reason.
    public let reason: Reason

    private let ownWayOut: String?

    init(_ place: String, _ operation: Operation, _ reason: Reason, wayOut: String? = nil) {
        (self.place, self.operation, self.reason, ownWayOut) = (place, operation, reason, wayOut)
    }

    /// The place, the reason and the way out, as one line.
    public var description: String { "\(place) could not be \(operation.rawValue): \(reason). \(wayOut)" }

    private var wayOut: String {
        if let ownWayOut { return ownWayOut }
        return switch (operation, reason) {
        case (_, .notAFile): "Move it away, or use another name."
        case (_, .tooLarge): "Raise the maximumSize of the FilePersistence, or store less."
        case (.read, .undecodable):
            "It stays until a value is set; a file is kept even then, under another name beside it."
        case (.read, _):
            "It is read again at the next refresh; if a value is set first, the file is kept beside it."
        case (_, .unencodable), (_, .undecodable): "It is shown, and not stored: set another value."
        case (_, .notEncodable):
            "Let the type conform to Encodable or DataConvertible, or use another storage."
        case (_, .system): "It is tried again at the next change and by flush()."
        }
    }
}

extension StorageError.Reason: CustomStringConvertible {
    /// The reason in a few words.
    public var description: String {
        switch self {
        case .system(_, let meaning): meaning
        case .notAFile: "it is not a file"
        case .tooLarge(let count, let limit): "it has \(count) bytes, and the limit is \(limit)"
        case .undecodable(let error): "its data is not that of a value (\(error))"
        case .unencodable(let error): "the value has no data (\(error))"
        case .notEncodable: "its type cannot be turned into data"
        }
    }
}
