import Foundation
import Promise

@testable import PromisedSources

/// A file system in memory, which a process can be killed in: after that, its operations do nothing and fail.
final class MemoryFiles: FileOperations {
    struct Killed: Error {}

    /// What is left of a process: shared by those that follow each other.
    final class Disk: Sendable {
        fileprivate struct Content: Sendable {
            var files: [String: (data: Data, status: FileStatus)] = [:]
            var open: [Int32: String] = [:]
            var last: Int32 = 0
        }
        fileprivate let content = Lock(Content())
        let names: @Sendable () -> [String]
        init() { names = { [content] in content.withLock { $0.files.keys.sorted() } } }
    }

    private let disk: Disk
    private let left = Lock(Int.max)

    init(_ disk: Disk) { self.disk = disk }

    /// Kills the process before its `number`-th operation from now on, from 1.
    func kill(at number: Int) { left.exchange(for: number) }
    var isKilled: Bool { left.withLock { $0 <= 0 } }

    private func step<Result: Sendable>(_ body: (inout Disk.Content) throws -> Result) throws -> Result {
        let isKilled = left.withLock { left in
            left -= 1
            return left <= 0
        }
        if isKilled { throw Killed() }
        return try disk.content.withLock { try body(&$0) }
    }

    private static func status(_ number: Int32, _ data: Data, _ date: Int64) -> FileStatus {
        FileStatus(
            device: 1, inode: UInt64(number), size: data.count, modified: date, changed: Int64(number),
            permissions: 0o600, isFile: true)
    }

    func status(of path: String) throws -> FileStatus? {
        // Folders are there.
        try step { $0.files[path]?.status ?? (path.hasSuffix("/folder") ? Self.status(0, Data(), 0) : nil) }
    }
    func read(_ path: String, limit: Int) throws -> (Data, FileStatus)? {
        try step { content in content.files[path].map { ($0.data, $0.status) } }
    }
    func create(_ path: String, permissions: UInt16) throws -> Int32 {
        try step { content in
            content.last += 1
            content.open[content.last] = path
            content.files[path] = (Data(), Self.status(content.last, Data(), 0))
            return content.last
        }
    }
    func write(_ data: Data, to file: Int32) throws {
        try step { content in
            guard let path = content.open[file] else { return }
            content.files[path] = (data, Self.status(file, data, 0))
        }
    }
    func setDate(_ date: Date, of file: Int32) throws {
        try step { content in
            guard let path = content.open[file], let data = content.files[path]?.data else { return }
            let nanoseconds = Int64(date.timeIntervalSince1970 * 1_000_000_000)
            content.files[path] = (data, Self.status(file, data, nanoseconds))
        }
    }
    func sync(_ file: Int32) throws -> FileStatus {
        try step { content in
            content.open[file].flatMap { content.files[$0]?.status } ?? Self.status(file, Data(), 0)
        }
    }
    func close(_ file: Int32) {}
    func rename(_ path: String, to other: String) throws {
        try step { content in content.files[other] = content.files.removeValue(forKey: path) }
    }
    func link(_ path: String, as other: String) throws {
        try step { content in content.files[other] = content.files[path] }
    }
    func remove(_ path: String) throws { try step { content in content.files[path] = nil } }
    func makeFolder(_ path: String) throws { try step { _ in } }
    func syncFolder(_ path: String) throws { try step { _ in } }
    func names(in folder: String) throws -> [String] { [] }
    func locked<Result>(_ folder: String, _ body: () throws -> Result) throws -> Result { try body() }
}
