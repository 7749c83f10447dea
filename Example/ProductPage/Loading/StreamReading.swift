import Foundation

/// Reads a pipe, a socket or a terminal to its end, however long that takes, until it is cancelled.
///
/// A thread of its own waits, in `poll`: a Dispatch source does not hear of a pipe's end on Linux.
enum StreamReading {
    /// - Parameter descriptor: Of a stream that does not wait. It is closed when the reading ends.
    /// - Throws: `PageError.noInput`, or `CancellationError` as soon as the task is cancelled.
    static func bytes(from descriptor: Int32, path: String, limit: Int) async throws -> [UInt8] {
        guard let alarm = Alarm() else {
            close(descriptor)
            throw PageError.noInput(source: path, reason: SystemReason.current)
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(
                        with: Result { try content(of: descriptor, path: path, limit: limit, until: alarm) })
                    close(descriptor)
                }
            }
        } onCancel: {
            alarm.ring()
        }
    }

    private static func content(
        of descriptor: Int32, path: String, limit: Int, until alarm: Alarm
    ) throws -> [UInt8] {
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        var events = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard poll(&events, nfds_t(events.count), -1) >= 0 else {
                if errno == EINTR { continue }
                throw PageError.noInput(source: path, reason: SystemReason.current)
            }
            guard events[1].revents == 0 else { throw CancellationError() }
            let count = read(descriptor, &chunk, chunk.count)
            if count > 0 {
                content += chunk[..<count]
                guard content.count <= limit else {
                    throw PageError.noInput(source: path, reason: "is larger than \(limit / 1_048_576) MiB")
                }
            } else if count == 0 {
                return content
            } else if errno != EINTR && errno != EAGAIN {
                throw PageError.noInput(source: path, reason: SystemReason.current)
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

    deinit {
        close(descriptor)
        close(bell)
    }
}
