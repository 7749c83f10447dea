internal import Foundation

/// Reads the lines of a file, in pieces: only the requested ones are in memory.
package final class RecordingFile: Sendable {
    /// A line, or the kept part of it.
    struct FileLine {
        /// Without the line's end; cut off if the line is longer than was to be kept.
        var bytes: [UInt8] = []
        /// The offset of its first byte in the file.
        let offset: Int
        /// Its number, from 1, counted from where reading began.
        var number: Int
        /// Its length without the end.
        var length = 0
        /// False for the bytes behind the last line end.
        var isTerminated = false
    }

    static let pieceSize = 65_536

    package let path: String
    /// The number of bytes when it was opened; later appends are not read.
    let size: Int
    private let descriptor: Int32

    package init(_ path: String) throws(RecordingError) {
        // The system would end the path before it.
        if path.utf8.contains(0) { throw .unreadable(path: path, reason: "the path has a byte 0") }
        // Not waiting: a pipe without a writer would never be opened otherwise.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        self.path = path
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw .unreadable(path: path, reason: Self.reason)
        }
        size = Int(status.st_size)
        guard status.st_mode & S_IFMT == S_IFREG, size > 0 else {
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            let isFile = status.st_mode & S_IFMT == S_IFREG
            throw .unreadable(
                path: path,
                reason: isFile ? "it is empty" : isFolder ? "it is a folder" : "it is not a regular file")
        }
    }

    deinit { close(descriptor) }

    private static var reason: String { String(cString: strerror(errno)) }

    /// The bytes from an offset on, as far as they exist, at most those of a piece and `extra` ones.
    func piece(at offset: Int, extra: Int = 0) throws(RecordingError) -> [UInt8] {
        let count = min(Self.pieceSize + extra, size - offset)
        guard count > 0 else { return [] }
        var result = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            repeat {
                result = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            } while result < 0 && errno == EINTR
            initialized = max(0, result)
        }
        if result < 0 { throw .unreadable(path: path, reason: Self.reason) }
        return bytes
    }

    /// Calls `body` with each line from an offset on that is not empty, until it returns false.
    ///
    /// - Parameter kept: How many bytes of a line are kept at most. The rest is read in pieces and dropped.
    func forEachLine(
        from start: Int, keeping kept: Int, _ body: (FileLine) throws(RecordingError) -> Bool
    ) throws(RecordingError) {
        var (line, offset) = (FileLine(offset: start, number: 1), start)
        while true {
            let piece = try piece(at: offset)
            if piece.isEmpty { break }
            offset += piece.count
            var rest = 0
            while let end = piece[rest...].firstIndex(of: UInt8(ascii: "\n")) {
                line.add(piece[rest..<end], keeping: kept)
                line.isTerminated = true
                if line.length > 0, try !body(line) { return }
                line = FileLine(offset: line.offset + line.length + 1, number: line.number + 1)
                rest = end + 1
            }
            line.add(piece[rest...], keeping: kept)
        }
        if line.length > 0 { _ = try body(line) }
    }

    /// The number, from 1, of the line that begins at an offset.
    package func lineNumber(at offset: Int) throws(RecordingError) -> Int {
        var (number, place) = (1, 0)
        while place < offset {
            let piece = try piece(at: place).prefix(offset - place)
            if piece.isEmpty { break }
            for byte in piece where byte == UInt8(ascii: "\n") { number += 1 }
            place += piece.count
        }
        return number
    }
}

extension RecordingFile.FileLine {
    fileprivate mutating func add(_ part: ArraySlice<UInt8>, keeping kept: Int) {
        if part.isEmpty { return }
        length += part.count
        bytes += part.prefix(max(0, kept - bytes.count))
    }
}
