import Dispatch
import Foundation

/// Ends the process when the user or the system says so. What is kept on disk is whole at every moment, so
/// there is nothing to clean up but the terminal.
enum Interruption {
    /// What every run listens to: an interrupt ends with 130, a request to terminate with 143.
    static let usual: [(signal: Int32, code: Int32)] = [(SIGINT, 130), (SIGTERM, 143)]

    /// From now on these signals end the process with these codes; one that the process was started to
    /// ignore stays ignored.
    ///
    /// - Returns: What listens; it must be kept.
    static func listen(to signals: [(signal: Int32, code: Int32)] = usual) -> [any DispatchSourceProtocol] {
        // At once, beside the main queue: other threads are at work, and nothing waits to be written.
        signals.compactMap { signal, code in source(signal, on: .global()) { end(code) } }
    }

    /// What listens to a signal, from the moment in which this returns; nil where that is ignored.
    ///
    /// Until then the signal does what it does by itself: none is lost in between, which would be worse.
    static func source(
        _ signal: Int32, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) -> (any DispatchSourceSignal)? {
        guard !isIgnored(signal) else { return nil }
        let source = DispatchSource.makeSignalSource(signal: signal, queue: arrivals)
        source.setEventHandler { @Sendable in queue.async(execute: handler) }
        let registered = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { @Sendable in registered.signal() }
        source.activate()
        registered.wait()
        #if canImport(Darwin)
            // There a source only watches; elsewhere it takes the place of what the signal does.
            _ = Foundation.signal(signal, SIG_IGN)
        #endif
        return source
    }

    /// Serves nothing else, so that a source is registered while its maker waits, on whatever queue that is.
    private static let arrivals = DispatchQueue(label: "product-page.signals")

    /// Ends the process with the terminal as it was found.
    static func end(_ code: Int32) -> Never {
        // A terminal that takes no output, as one with a line that hangs, must not keep the process.
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) {
            Terminal.restoreSettings()
            _exit(code)
        }
        Terminal.leave()
        _exit(code)
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        // Functions cannot be compared, but the one that stands for ignoring is no function.
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #elseif canImport(Musl)
            let handler = action.__sa_handler.sa_handler
        #elseif canImport(Android) || canImport(Bionic)
            let handler = action.sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN as Handler?, to: Int.self)
    }

    private typealias Handler = @convention(c) (Int32) -> Void
}
