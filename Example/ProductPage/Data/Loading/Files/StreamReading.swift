import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reads a pipe, a socket or a terminal to its end, whenever something comes; ends exactly once.
final class StreamReading: Sendable {
    private typealias Outcome = Result<[UInt8], any Error>

    private struct State {
        let source: any DispatchSourceRead
        var content: [UInt8] = []
        var outcome: Outcome?
        var waiter: CheckedContinuation<Outcome, Never>?
    }

    private let descriptor: Int32
    private let path: String
    private let limit: Int
    /// The source as well: Dispatch lets any thread use it, but does not say so to the compiler on Linux.
    private let state: Mutex<State>

    /// - Parameter descriptor: Of a stream that does not wait. It is closed when the reading ends.
    init(_ descriptor: Int32, path: String, limit: Int) {
        self.descriptor = descriptor
        self.path = path
        self.limit = limit
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
        source.setCancelHandler { @Sendable in _ = close(descriptor) }
        state = Mutex(State(source: source))
    }

    /// All that comes; to be called once.
    func bytes() async throws -> [UInt8] {
        state.withLock { state in
            state.source.setEventHandler { @Sendable [self] in readOn() }
            state.source.activate()
        }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state in
                    if state.outcome == nil { state.waiter = continuation }
                    return state.outcome
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            settle(.failure(CancellationError()))
        }.get()
    }

    private func readOn() {
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        let count = read(descriptor, &chunk, chunk.count)
        if count > 0 {
            let size = state.withLock { state in
                state.content += chunk[..<count]
                return state.content.count
            }
            if size > limit { fail("is larger than \(limit / 1_048_576) MiB") }
        } else if count == 0 {
            settle(.success(state.withLock { $0.content }))
        } else if errno != EINTR && errno != EAGAIN {
            fail(SystemReason.current)
        }
    }

    private func fail(_ reason: String) {
        settle(.failure(PageError.noInput(source: path, reason: reason)))
    }

    private func settle(_ outcome: Outcome) {
        let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            state.content = []
            // Also lets go of the handler, which keeps this.
            state.source.cancel()
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: outcome)
    }
}
