internal import Foundation

/// The operations of a file system for the storage. Tests pass one that fails, or stops, at any of its operations.
protocol FileOperations: Sendable {
    /// The file that has a name, following links; nil if none has.
    func status(of path: String) throws -> FileStatus?
    /// The whole content of a file, and its status; nil if nothing has that name.
    ///
    /// - Throws: A ``FileFault/notAFile`` or ``FileFault/tooLarge(_:)``, unless it is a file of at most `limit` bytes.
    func read(_ path: String, limit: Int) throws -> (Data, FileStatus)?
    /// Creates a file that must not exist yet, with these permissions.
    ///
    /// - Returns: Its descriptor, to be closed.
    func create(_ path: String, permissions: UInt16) throws -> Int32
    func write(_ data: Data, to file: Int32) throws
    func setDate(_ date: Date, of file: Int32) throws
    /// The status of an open file, when all of it has reached the disk.
    func sync(_ file: Int32) throws -> FileStatus
    func close(_ file: Int32)
    func rename(_ path: String, to other: String) throws
    /// Gives a file a second name, or its only other one where the file system has no such links.
    func link(_ path: String, as other: String) throws
    func remove(_ path: String) throws
    func makeFolder(_ path: String) throws
    /// Makes the names in a folder reach the disk.
    func syncFolder(_ path: String) throws
    func names(in folder: String) throws -> [String]
    /// Calls a closure while no other thread or process does so for the folder. The lock of a process that is killed is
    /// free.
    func locked<Result>(_ folder: String, _ body: () throws -> Result) throws -> Result
}

extension FileOperations {
    func locked<Result>(_ folder: String, _ body: () throws -> Result) throws -> Result {
        let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Nothing is in a folder that does not exist.
        guard file >= 0 else { return if errno == ENOENT { try body() } else { throw FileFault.last } }
        defer { _ = Foundation.close(file) }
        while flock(file, LOCK_EX) != 0, errno == EINTR {}
        return try body()
    }
}

/// Why a file operation has failed.
enum FileFault: Error, Equatable {
    case system(Int32)
    case notAFile
    case tooLarge(Int)

    /// The reason of the system call that has just failed.
    static var last: FileFault { .system(errno) }

    func reason(limit: Int) -> StorageError.Reason {
        switch self {
        case .system(let code): .system(code, Self.meaning(code))
        case .notAFile: .notAFile
        case .tooLarge(let count): .tooLarge(count, limit: limit)
        }
    }

    /// In words for the reasons that people meet, else as the system says it.
    private static func meaning(_ code: Int32) -> String {
        switch code {
        case ENOSPC: "no space left on the disk"
        case EROFS: "the disk is read-only"
        case EACCES, EPERM: "permission denied"
        case ENOTDIR: "a part of the path is not a folder"
        case EISDIR: "it is a folder"
        case ENAMETOOLONG: "the name is too long"
        default: String(cString: strerror(code))
        }
    }
}

/// The metadata of a file. Two versions of a file differ in it: at least in the date of its last change, which
/// no program can set, unless they follow each other within one tick of the file system's clock.
struct FileStatus: Sendable, Equatable {
    let device: UInt64
    let inode: UInt64
    let size: Int
    /// In nanoseconds since 1970.
    let modified: Int64
    let changed: Int64
    let permissions: UInt16
    let isFile: Bool

    var date: Date { Date(timeIntervalSince1970: Double(modified) / 1_000_000_000) }

    /// Whether both are the same version of one file, perhaps with another name.
    func isSameContent(as other: FileStatus) -> Bool {
        (device, inode, size, modified) == (other.device, other.inode, other.size, other.modified)
    }
}
