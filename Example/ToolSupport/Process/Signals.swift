package import Dispatch
import Foundation

/// Handles signals of the process. Files are whole at every moment, so when a signal ends it, there is nothing to clean
/// up but the terminal.
package enum Signals {
    /// Sources that do not listen yet.
    private static let registering = DispatchGroup()

    /// Returns when every source listens. Another thread registers them; until then a signal ends or stops the process
    /// by itself, without giving the terminal back. So nothing may take the terminal before.
    static func allListen() async {
        await withCheckedContinuation { continuation in
            registering.notify(queue: .global()) { continuation.resume() }
        }
    }

    /// As soon as they are listened to, these signals end the process, with 128 and their number.
    ///
    /// - Returns: What listens; it must be kept.
    package static func endProcess(_ signals: Int32...) -> [any DispatchSourceProtocol] {
        // At once, beside the main queue: other threads are at work, and nothing waits to be written.
        signals.compactMap { signal in source(signal, on: ending) { endProcess(code: 128 + signal) } }
    }

    private static let ending = DispatchQueue(label: "tool.ending", qos: .userInteractive)

    /// Calls `work` on the main queue after a second, unless a signal that has come by then ends the process.
    static func inASecond(_ work: @escaping @Sendable () -> Void) {
        ending.asyncAfter(deadline: .now() + .seconds(1)) { DispatchQueue.main.async(execute: work) }
    }

    /// A source that listens to a signal; nil where the process was started to ignore it, which stays so.
    static func source(
        _ signal: Int32, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) -> (any DispatchSourceSignal)? {
        // Functions cannot be compared, but the one that stands for ignoring is no function.
        typealias Handler = @convention(c) (Int32) -> Void
        let ignoring = SIG_IGN as Handler?
        let before = Foundation.signal(signal, SIG_DFL) as Handler?
        if unsafeBitCast(before, to: Int.self) == unsafeBitCast(ignoring, to: Int.self) {
            _ = Foundation.signal(signal, SIG_IGN)
            return nil
        }
        let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
        source.setEventHandler { @Sendable in handler() }
        registering.enter()
        source.setRegistrationHandler { @Sendable in
            #if canImport(Darwin)
                // There a source only watches; elsewhere it takes the place of what the signal does.
                _ = Foundation.signal(signal, SIG_IGN)
            #endif
            registering.leave()
        }
        source.activate()
        return source
    }

    /// Ends the process with the terminal as it was found.
    package static func endProcess(code: Int32) -> Never {
        // A terminal that takes no output, as one with a line that hangs, must not keep the process.
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) {
            Terminal.restoreSettings { _exit(code) }
        }
        Terminal.leave { _exit(code) }
    }
}
