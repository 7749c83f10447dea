import Foundation

/// A pipe whose ends no other process inherits by accident.
final class Channel: Sendable {
    let reading: FileHandle
    let writing: FileHandle

    init() {
        let pipe = Pipe()
        reading = pipe.fileHandleForReading
        writing = pipe.fileHandleForWriting
        for handle in [reading, writing] { _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC) }
    }

    func write(_ text: String) { try? writing.write(contentsOf: Data(text.utf8)) }
    func closeReading() { try? reading.close() }
    func closeWriting() { try? writing.close() }

    /// The next line; nil at the end, when every holder of the other end has closed it.
    func readLine() -> String? {
        var line: [UInt8] = []
        while let byte = try? reading.read(upToCount: 1), let byte = byte.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
}
