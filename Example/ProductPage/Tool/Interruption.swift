import Dispatch
import Foundation

/// Ends the process when the user or the system says so. What is kept on disk is whole at every moment, so
/// there is nothing to clean up but the terminal.
enum Interruption {
    /// What every run listens to: an interrupt ends with 130, a request to terminate with 143.
    static let usual: [(signal: Int32, code: Int32)] = [(SIGINT, 130), (SIGTERM, 143)]

    /// From now on these signals end the process with these codes; one that whoever started the process has
    /// it ignore stays ignored.
    ///
    /// - Returns: What listens; it must be kept.
    static func listen(to signals: [(signal: Int32, code: Int32)] = usual) -> [any DispatchSourceProtocol] {
        // At once, on a queue of its own: other threads are at work, and nothing waits to be written.
        signals.compactMap { signal, code in source(signal, on: .global()) { end(code) } }
    }

    /// What listens to a signal; nil where that is ignored.
    static func source(
        _ signal: Int32, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) -> (any DispatchSourceSignal)? {
        // The default would end or stop the process before the source hears of it.
        let before = Foundation.signal(signal, SIG_IGN)
        guard !isIgnoring(before) else { return nil }
        let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
        source.setEventHandler(handler: handler)
        source.activate()
        return source
    }

    /// Ends the process with the terminal as it was found.
    static func end(_ code: Int32) -> Never {
        // A terminal that takes no output, as one with a line that hangs, must not keep the process.
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) {
            Terminal.standard.restoreSettings()
            _exit(code)
        }
        Terminal.standard.leave()
        _exit(code)
    }

    private typealias Handler = @convention(c) (Int32) -> Void

    /// Functions cannot be compared, but the one that stands for ignoring is no function.
    private static func isIgnoring(_ handler: Handler?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN as Handler?, to: Int.self)
    }
}
