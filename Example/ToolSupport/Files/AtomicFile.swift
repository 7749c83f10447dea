package import Foundation

/// A file that is replaced as a whole: whenever it is read, and whenever the machine stops, it is the old one
/// or the new one.
///
/// Foundation's atomic writing leaves strays when it is killed and does not sync the folder, so that a new
/// file may be gone after a power cut.
package struct AtomicFile {
    package struct Failure: Error, Equatable {
        package var reason: String

        package init(reason: String) { self.reason = reason }

        static let cancelled = Failure(reason: "cancelled")
    }

    /// Where the file really is: of a symbolic link, what it points to.
    package let path: String
    /// No program works that long on a file: one that holds the lock longer hangs, or is hostile.
    package static let patience = Duration.seconds(10)
    private let patience: Duration
    private let folder: String

    package init(path: String, patience: Duration = patience) {
        self.patience = patience
        let file = URL(filePath: path).resolvingSymlinksInPath()
        (self.path, folder) = (file.path, file.deletingLastPathComponent().path)
    }

    /// Keeps other programs from changing files of the folder meanwhile. Makes the folder where it is missing.
    ///
    /// It is an advisory lock on the folder itself: it leaves no file behind, and ends with the process that holds
    /// it, however that ends. It holds between the processes of one machine; who only reads does not need it.
    ///
    /// - Parameter isCancelled: Asked again and again while it waits for the lock.
    /// - Throws: what `work` throws; that another program had the lock for all of `patience`; or that it is cancelled.
    package func locked<Result>(unless isCancelled: () -> Bool, _ work: () throws -> Result) throws -> Result
    {
        try Self.makeFolder(folder)
        return try opened(folder, O_RDONLY | O_DIRECTORY) { descriptor in
            let deadline = ContinuousClock.now + patience
            // To let the system wait would be shorter, but that wait has no end. Some file systems have no locks: not to
            // keep a cart there would be worse than a lost change.
            while flock(descriptor, LOCK_EX | LOCK_NB) != 0, [EWOULDBLOCK, EINTR].contains(errno) {
                if isCancelled() { throw Failure.cancelled }
                guard .now < deadline else {
                    throw Failure(reason: "another program is changing it; try again")
                }
                usleep(2_000)
            }
            return try work()
        }
    }

    /// Writes beside the file, syncs, renames, and syncs the folder; to be called under the lock.
    ///
    /// - Parameter isCancelled: Asked just before the new content takes its place.
    /// - Throws: `Failure` with the system's reason; the temporary file is then gone. Only when the very last step
    ///   fails is the new content already in place, though a power cut could still undo it.
    package func replace(with content: Data, unless isCancelled: () -> Bool = { false }) throws {
        let temporary = path + ".tmp"
        do {
            // A killed process may have left one. A new one, so that nothing is written through a link put there.
            unlink(temporary)
            try opened(temporary, O_WRONLY | O_CREAT | O_EXCL) { descriptor in
                try check(Console.write(Array(content), to: descriptor))
                try check(fsync(descriptor) == 0)
            }
            if isCancelled() { throw Failure.cancelled }
            try check(rename(temporary, path) == 0)
        } catch {
            unlink(temporary)
            throw error
        }
        // Some file systems cannot sync a folder, and say so.
        try opened(folder, O_RDONLY) { try check(fsync($0) == 0 || [EINVAL, ENOTSUP].contains(errno)) }
    }

    /// Gives the file another name beside it, one that nothing has: `cart.json.damaged-1`. To be called under the
    /// lock.
    ///
    /// - Returns: The whole new path.
    package func setAside() throws -> String {
        let names = (1...).lazy.map { "\(path).damaged-\($0)" }
        let name = names.first(where: SystemReason.isMissing) ?? path
        try check(rename(path, name) == 0)
        return name
    }

    /// Makes the folder and those above it, for the user alone, as the state directory should be.
    private static func makeFolder(_ folder: String) throws {
        guard SystemReason.isMissing(folder) else { return }
        try makeFolder(URL(filePath: folder).deletingLastPathComponent().path)
        if mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw Failure(reason: "\(folder): \(SystemReason.current)")
        }
    }

    private func opened<Result>(
        _ path: String, _ flags: Int32, _ work: (Int32) throws -> Result
    ) throws -> Result {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        try check(descriptor >= 0)
        defer { close(descriptor) }
        return try work(descriptor)
    }

    private func check(_ isDone: Bool) throws {
        if !isDone { throw Failure(reason: SystemReason.current) }
    }
}
