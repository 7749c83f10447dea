internal import Foundation

/// Replaces files of one folder as a whole: whenever one is read, and whenever the process or the machine stops, it is
/// the old one or the new one.
struct FileReplacement: Sendable {
    let files: any FileOperations
    let folder: String

    /// Files that a process has left when it was killed in the middle have this ending.
    static let ending = ".promised-tmp"

    /// Writes a temporary file beside the other, syncs it, gives it the other's name, and syncs the folder.
    ///
    /// - Parameters:
    ///   - path: The file, in the folder.
    ///   - old: The status of the present file; nil if there is none.
    ///   - other: A name that the present file keeps as well; nil for none.
    /// - Returns: The status of the new file when it was written.
    /// - Throws: A ``FileFault``; then the file is the old one, unless syncing the folder has failed: then it is the
    ///   new one, which a power cut could undo.
    func replace(
        _ path: String, by data: Data, date: Date, _ old: FileStatus?, keepingAs other: String?
    ) throws -> FileStatus {
        let temporary = "\(folder)/.\(UInt64.random(in: 0 ... .max))\(Self.ending)"
        let status: FileStatus
        do {
            status = try write(data, date, to: temporary, permissions: old?.permissions ?? 0o600)
            if let other { try files.link(path, as: other) }
            try files.rename(temporary, to: path)
        } catch {
            try? files.remove(temporary)
            throw error
        }
        try files.syncFolder(folder)
        return status
    }

    private func write(_ data: Data, _ date: Date, to path: String, permissions: UInt16) throws -> FileStatus
    {
        let file = try files.create(path, permissions: permissions)
        defer { files.close(file) }
        try files.write(data, to: file)
        try files.setDate(date, of: file)
        return try files.sync(file)
    }

    func remove(_ path: String) throws {
        try files.remove(path)
        try files.syncFolder(folder)
    }

    /// Makes the folder and those above it, for the user alone.
    func makeFolder() throws { try makeFolder(folder) }

    private func makeFolder(_ path: String) throws {
        guard try files.status(of: path) == nil else { return }
        let parent = URL(filePath: path).deletingLastPathComponent().path
        try makeFolder(parent)
        try files.makeFolder(path)
        try files.syncFolder(parent)
    }

    /// Removes what killed processes have left more than an hour ago: nothing is being written for so long.
    func sweep(at now: Date) {
        for name in (try? files.names(in: folder)) ?? []
        where name.hasPrefix(".") && name.hasSuffix(Self.ending) {
            let path = "\(folder)/\(name)"
            guard let status = try? files.status(of: path), abs(now.timeIntervalSince(status.date)) > 3_600
            else {
                continue
            }
            try? files.remove(path)
        }
    }
}
