import Foundation

/// A file that is replaced as a whole: whenever it is read, and whenever the machine stops, it is the old one
/// or the new one.
///
/// Foundation's atomic writing leaves strays when it is killed and does not sync the folder, so that a new
/// file may be gone after a power cut.
struct AtomicFile {
    enum Step: CaseIterable, Sendable {
        case makeFolder, lock, create, write, sync, rename, syncFolder
    }

    struct Failure: Error, Sendable {
        var reason: String

        init(reason: String) { self.reason = reason }

        init(_ error: any Error) { reason = (error as? Failure)?.reason ?? "\(error)" }

        static let cancelled = Failure(reason: "cancelled")
    }

    /// Where the file really is: of a symbolic link, what it points to.
    let path: String
    private let beforeStep: (Step) throws(Failure) -> Void

    init(path: String, beforeStep: @escaping (Step) throws(Failure) -> Void = { _ in }) {
        if let real = realpath(path, nil) {
            self.path = String(cString: real)
            free(real)
        } else {
            self.path = path
        }
        self.beforeStep = beforeStep
    }

    /// Keeps other programs from replacing the file until the lock is released. Makes its folder where that
    /// is missing, and removes what killed processes left in it.
    ///
    /// - Parameter isCancelled: Asked again and again while another program has the lock.
    func lock(unless isCancelled: () -> Bool = { false }) throws(Failure) -> FolderLock {
        try beforeStep(.makeFolder)
        try Self.makeFolder(folder)
        try beforeStep(.lock)
        let lock = try FolderLock(folder, unless: isCancelled)
        removeStrays()
        return lock
    }

    /// Writes beside the file, syncs, renames, and syncs the folder. A caller that has read it before needs the
    /// lock, so that nothing is lost that was written in between.
    ///
    /// - Parameter isCancelled: Asked just before the new content takes its place.
    /// - Throws: with the system's reason; the temporary file is then gone. Only when the very last step
    ///   fails is the new content already in place, though a power cut could still undo it.
    func replace(
        with content: [UInt8], unless isCancelled: () -> Bool = { false }
    ) throws(Failure) {
        try beforeStep(.create)
        // The number tells which process has left it, should it be killed.
        let temporary = "\(path).\(getpid()).tmp"
        do throws(Failure) {
            try write(content, to: temporary)
            try beforeStep(.rename)
            if isCancelled() { throw .cancelled }
            try check(rename(temporary, path))
        } catch {
            unlink(temporary)
            throw error
        }
        try beforeStep(.syncFolder)
        try syncFolder()
    }

    private var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private func write(_ content: [UInt8], to temporary: String) throws(Failure) {
        unlink(temporary)
        // Exclusive: never through a link that was put there.
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try check(descriptor)
        defer { close(descriptor) }
        try beforeStep(.write)
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            try check(count)
            rest = rest.dropFirst(count)
        }
        try beforeStep(.sync)
        try check(fsync(descriptor))
    }

    private func syncFolder() throws(Failure) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        try check(descriptor)
        defer { close(descriptor) }
        // Some file systems cannot sync a folder, and say so.
        if fsync(descriptor) != 0, errno != EINVAL, errno != ENOTSUP {
            throw Failure(reason: SystemReason.current)
        }
    }

    /// Makes the folder and those above it, for the user alone, as the state directory should be.
    private static func makeFolder(_ folder: String) throws(Failure) {
        var made = folder.hasPrefix("/") ? "" : "."
        for part in folder.split(separator: "/") {
            made += "/" + part
            if mkdir(made, 0o700) != 0, errno != EEXIST, !isFolder(made) {
                throw Failure(reason: "\(made): \(SystemReason.current)")
            }
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        let reason = errno
        defer { errno = reason }
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private func check(_ result: some BinaryInteger) throws(Failure) {
        if result < 0 { throw Failure(reason: SystemReason.current) }
    }
}

extension AtomicFile {
    /// What processes left that were killed while they saved.
    private func removeStrays() {
        let name = String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
        for other in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard other.hasPrefix(name + "."), other.hasSuffix(".tmp") else { continue }
            let number = other.dropFirst(name.count + 1).dropLast(4)
            if Int32(number) != nil { unlink("\(folder)/\(other)") }
        }
    }

    /// Gives the file another name beside it, one that nothing has: `cart.json.damaged-1`.
    ///
    /// - Returns: The whole new path.
    func setAside() throws(Failure) -> String {
        for number in 1...9_999 {
            let name = "\(path).damaged-\(number)"
            // Taken first, since renaming would write over what has the name.
            let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if descriptor < 0, errno == EEXIST { continue }
            try check(descriptor)
            close(descriptor)
            if rename(path, name) == 0 { return name }
            let failure = Failure(reason: SystemReason.current)
            unlink(name)
            throw failure
        }
        throw Failure(reason: "too many damaged ones are kept beside it; remove some")
    }
}
