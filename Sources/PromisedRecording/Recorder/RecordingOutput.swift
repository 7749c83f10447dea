internal import Foundation

/// Where a recorder writes its lines to.
protocol RecordingOutput: Sendable {
    /// Appends whole lines. After an error, nothing of a line that was not written whole remains.
    func write(_ lines: [UInt8]) throws(RecorderError)
    /// Puts whole lines in the place of all that were written before.
    func replace(by lines: [UInt8]) throws(RecorderError)
    /// The recording that is continued; nil if there is none.
    var earlier: Recording? { get }
}

/// A file that one recorder writes to, as a lock on it says.
final class OutputFile: RecordingOutput {
    private let path: String
    private let descriptor: Int32
    let earlier: Recording?
    /// Where that ends.
    private let start: off_t

    /// How many bytes are written at once.
    private static let pieceSize = 262_144

    /// - Parameters:
    ///   - appending: Whether a recording in the file is continued.
    ///   - replacing: Whether a recording in the file may be replaced.
    init(_ path: String, appending: Bool, replacing: Bool) throws(RecorderError) {
        // The system would end the path before it.
        if path.utf8.contains(0) { throw .unwritable(path: path, reason: "the path has a byte 0") }
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path: path, reason: Self.reason) }
        do throws(RecorderError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw .unwritable(path: path, reason: "it is not a regular file")
            }
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                throw errno == EWOULDBLOCK
                    ? .inUse(path: path) : .unwritable(path: path, reason: Self.reason)
            }
            // Read under the lock.
            earlier =
                fstat(descriptor, &status) == 0 && status.st_size > 0
                ? try Self.earlier(path, appending: appending, replacing: replacing) : nil
            start = earlier == nil ? 0 : try Self.end(of: descriptor, path, Int(status.st_size))
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        // A process that is being started has the descriptor until it runs its program, and with it the lock.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// The recording that is to be continued; nil if it is to be replaced.
    private static func earlier(
        _ path: String, appending: Bool, replacing: Bool
    ) throws(RecorderError) -> Recording? {
        do throws(RecordingError) {
            let recording = try Recording(contentsOf: path)
            if appending { return recording }
        } catch {
            if case .newer = error { throw .unwritable(path: path, reason: error.description) }
            throw .exists(path: path, isRecording: false)
        }
        if !replacing { throw .exists(path: path, isRecording: true) }
        return nil
    }

    private static var reason: String {
        // As the file is not opened through one.
        errno == ELOOP ? "it is a symbolic link" : String(cString: strerror(errno))
    }

    /// Ends the last line, if the program that wrote it was ended before.
    ///
    /// - Returns: The place behind it, to which the file is set.
    private static func end(of file: Int32, _ path: String, _ size: Int) throws(RecorderError) -> off_t {
        var (last, lineEnd): (UInt8, UInt8) = (0, UInt8(ascii: "\n"))
        guard pread(file, &last, 1, off_t(size - 1)) == 1, lseek(file, 0, SEEK_END) >= 0,
            last == lineEnd || Foundation.write(file, &lineEnd, 1) == 1
        else { throw .unwritable(path: path, reason: reason) }
        return lseek(file, 0, SEEK_CUR)
    }

    func write(_ lines: [UInt8]) throws(RecorderError) {
        let written = write(lines, to: descriptor)
        if written == lines.count { return }
        let reason = Self.reason
        removeTornLine(of: lines[..<written])
        throw .stopped(path: path, reason: reason)
    }

    /// - Returns: How many bytes were written; if not all, `errno` says why.
    private func write(_ lines: [UInt8], to descriptor: Int32) -> Int {
        var written = 0
        while written < lines.count {
            let count = lines[written...].withUnsafeBytes {
                // `self`'s name would be taken for the function's.
                Foundation.write(descriptor, $0.baseAddress, min($0.count, Self.pieceSize))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            written += count
        }
        return written
    }

    private func removeTornLine(of lines: ArraySlice<UInt8>) {
        let end = lines.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let place = lseek(descriptor, 0, SEEK_CUR) - off_t(lines.count - end)
        // If it fails, the last line is torn, as if the program had been ended there.
        _ = ftruncate(descriptor, place)
        _ = lseek(descriptor, place, SEEK_SET)
    }

    /// Writes behind the recording that is continued, in the place of the lines that it has written there before.
    private func replaceTail(by lines: [UInt8]) throws(RecorderError) {
        guard ftruncate(descriptor, start) == 0, lseek(descriptor, start, SEEK_SET) >= 0 else {
            throw .stopped(path: path, reason: Self.reason)
        }
        try write(lines)
    }

    /// Writes a file beside it, which then takes its place: whenever the program ends, one of both is whole.
    func replace(by lines: [UInt8]) throws(RecorderError) {
        if start > 0 { return try replaceTail(by: lines) }
        let new = "\(path).new"
        unlink(new)
        let next = open(new, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        defer { if next >= 0 { close(next) } }
        // The lock moves with the descriptor, which closes the old file.
        guard next >= 0, flock(next, LOCK_EX | LOCK_NB) == 0, write(lines, to: next) == lines.count,
            rename(new, path) == 0, dup2(next, descriptor) >= 0
        else {
            let reason = Self.reason
            unlink(new)
            throw .stopped(path: path, reason: reason)
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
}
