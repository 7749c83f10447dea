import Foundation

/// The files of a memory, and how many there may be.
struct MemoryFolder {
    static let suffix = ".page"

    let path: String

    private struct File {
        var path: String
        var size: Int
        var used: timespec
    }

    /// Removes what was used longest ago, until the rest is within its bounds. Whatever else somebody keeps
    /// there is left alone.
    func prune(to bounds: PageMemory.Bounds) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        var files = names.filter(Self.isOurs).compactMap { file("\(path)/\($0)") }
            .sorted { ($0.used.tv_sec, $0.used.tv_nsec) > ($1.used.tv_sec, $1.used.tv_nsec) }
        var size = files.reduce(0) { $0 + $1.size }
        while let oldest = files.last, files.count > bounds.count || size > bounds.bytes {
            unlink(oldest.path)
            files.removeLast()
            size -= oldest.size
        }
    }

    /// Ours, whole or left behind by a run that was ended while it wrote.
    private static func isOurs(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, parts[0].count == 16, parts[0].allSatisfy(\.isHexDigit) else { return false }
        return "." + parts[1] == suffix && (parts.count == 2 || parts.last == "tmp")
    }

    private func file(_ path: String) -> File? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
            let used = status.st_mtimespec
        #else
            let used = status.st_mtim
        #endif
        return File(path: path, size: Int(status.st_size), used: used)
    }
}
