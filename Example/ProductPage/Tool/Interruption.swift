import Dispatch
import Foundation

/// Ends the process when the user or the system says so. What is kept on disk is whole at every moment, so
/// there is nothing to clean up.
enum Interruption {
    /// From now on an interrupt ends with 130, and a request to terminate with 143; one that whoever started
    /// the process has it ignore stays ignored.
    ///
    /// - Returns: What listens; it must be kept.
    static func listen() -> [any DispatchSourceSignal] {
        [(SIGINT, Int32(130)), (SIGTERM, 143)].compactMap { signal, code in
            // The default would end the process before the source hears of it, and without the code.
            let before = Foundation.signal(signal, SIG_IGN)
            guard !isIgnoring(before) else { return nil }
            let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
            // At once: other threads are at work, and nothing waits to be written.
            source.setEventHandler { @Sendable in _exit(code) }
            source.activate()
            return source
        }
    }

    private typealias Handler = @convention(c) (Int32) -> Void

    /// Functions cannot be compared, but the one that stands for ignoring is no function.
    private static func isIgnoring(_ handler: Handler?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN as Handler?, to: Int.self)
    }
}
