import Foundation

/// Reads files, pipes and terminals with the system's own calls, whose reasons Foundation would blur.
enum FileReading {
    /// A file, and nothing that could make the caller wait: no pipe, no device.
    ///
    /// - Throws: `PageError.noInput` with the system's reason.
    static func bytes(ofRegularFile path: String, limit: Int) throws(PageError) -> [UInt8] {
        let descriptor = try open(path)
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw .noInput(source: path, reason: SystemReason.current)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return try content(of: descriptor, name: path, limit: limit)
        case S_IFDIR: throw .noInput(source: path, reason: "is a directory")
        default: throw .noInput(source: path, reason: "is no regular file")
        }
    }

    /// Opened as what never waits: opening a pipe would wait until it is written to.
    static func open(_ path: String) throws(PageError) -> Int32 {
        // The system would see only what stands before the zero: another file.
        guard !path.utf8.contains(0) else {
            throw .noInput(source: path, reason: "no path contains a zero byte")
        }
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .noInput(source: path, reason: SystemReason.current) }
        return descriptor
    }

    /// Everything up to the end, however long that takes, until the task is cancelled.
    ///
    /// A thread of its own waits, in `poll`: a Dispatch source is not notified of a pipe's end on Linux.
    ///
    /// - Parameter descriptor: It is closed when the reading ends.
    /// - Throws: `PageError.noInput`, or `CancellationError` as soon as the task is cancelled.
    static func bytes(of descriptor: Int32, name: String, limit: Int) async throws -> [UInt8] {
        guard let alarm = Alarm() else {
            close(descriptor)
            throw PageError.noInput(source: name, reason: SystemReason.current)
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    let result = Result {
                        try content(of: descriptor, name: name, limit: limit, until: alarm.descriptor)
                    }
                    close(descriptor)
                    continuation.resume(
                        with: alarm.hasRung ? .failure(CancellationError()) : result.mapError { $0 })
                }
            }
        } onCancel: {
            alarm.ring()
        }
    }

    /// The content, or what there is of it when `alarm` can be read.
    ///
    /// The size is counted while reading, since a device does not know its own.
    private static func content(
        of descriptor: Int32, name: String, limit: Int, until alarm: Int32 = -1
    ) throws(PageError) -> [UInt8] {
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        var events = [descriptor, alarm].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            let isReady = poll(&events, nfds_t(events.count), -1) > 0
            if isReady, events[1].revents != 0 { return content }
            let count = isReady ? read(descriptor, &chunk, chunk.count) : -1
            if count == 0 { return content }
            if count < 0, errno != EINTR, errno != EAGAIN {
                throw .noInput(source: name, reason: SystemReason.current)
            }
            content += chunk[..<max(count, 0)]
            guard content.count <= limit else {
                throw .noInput(source: name, reason: "is larger than \(limit / 1_048_576) MiB")
            }
        }
    }
}

/// Wakes a thread that waits in `poll`, from any other; it stays rung.
private final class Alarm: Sendable {
    let descriptor: Int32
    private let bell: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (descriptor, bell) = (ends[0], ends[1])
    }

    func ring() {
        var byte: UInt8 = 1
        _ = write(bell, &byte, 1)
    }

    var hasRung: Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&event, 1, 0) > 0
    }

    deinit {
        close(descriptor)
        close(bell)
    }
}
