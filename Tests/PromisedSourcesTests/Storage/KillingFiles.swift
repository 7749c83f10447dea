import Foundation
import Promise

@testable import PromisedSources

/// The file system of a process that is killed at one of its operations: before it, or in the middle of a write.
final class KillingFiles: FileOperations {
    private let left: Lock<Int>
    private let base = SystemFiles()

    /// - Parameter number: The number of the operation, from 1; one that is never reached for none.
    init(at number: Int) { left = Lock(number) }

    private func step<Result>(half: () throws -> Void = {}, _ body: () throws -> Result) throws -> Result {
        let isLast = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isLast {
            try half()
            kill(getpid(), SIGKILL)
        }
        return try body()
    }

    func status(of path: String) throws -> FileStatus? { try step { try base.status(of: path) } }
    func read(_ path: String, limit: Int) throws -> (Data, FileStatus)? {
        try step { try base.read(path, limit: limit) }
    }
    func create(_ path: String, permissions: UInt16) throws -> Int32 {
        try step { try base.create(path, permissions: permissions) }
    }
    func write(_ data: Data, to file: Int32) throws {
        try step {
            try base.write(data.prefix(data.count / 2), to: file)
        } _: {
            try base.write(data, to: file)
        }
    }
    func setDate(_ date: Date, of file: Int32) throws { try step { try base.setDate(date, of: file) } }
    func sync(_ file: Int32) throws -> FileStatus { try step { try base.sync(file) } }
    func close(_ file: Int32) {
        base.close(file)
        try? step {}
    }
    func rename(_ path: String, to other: String) throws { try step { try base.rename(path, to: other) } }
    func link(_ path: String, as other: String) throws { try step { try base.link(path, as: other) } }
    func remove(_ path: String) throws { try step { try base.remove(path) } }
    func makeFolder(_ path: String) throws { try step { try base.makeFolder(path) } }
    func syncFolder(_ path: String) throws { try step { try base.syncFolder(path) } }
    func names(in folder: String) throws -> [String] { try step { try base.names(in: folder) } }
    func locked<Result>(_ folder: String, _ body: () throws -> Result) throws -> Result {
        try step {}
        return try base.locked(folder) {
            try step {}
            return try body()
        }
    }

    /// A storage of a process of its own, with real time.
    static func storage(_ folder: String, at number: Int) -> FilePersistence {
        FilePersistence(
            URL(filePath: folder), KillingFiles(at: number),
            StorageTiming(
                scheduler: QueueScheduler.serial("files"), pause: .milliseconds(1), now: { Date() }),
            1 << 20)
    }
}

/// A file to which processes add what they have done, a line for each: one system call that appends.
final class WorkLog: Sendable {
    private let file: Int32

    init(_ folder: String) throws {
        file = open(folder + "/log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw FileFault.last }
    }

    deinit { close(file) }

    func add(_ text: String) throws { try SystemFiles().write(Data("\(text)\n".utf8), to: file) }
}
