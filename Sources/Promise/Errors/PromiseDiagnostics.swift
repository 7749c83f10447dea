#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Where trouble goes that nobody asked about: errors that no handler saw, transitions that take very long.
///
/// By default each report is one line on standard error. Replace ``handler`` to send them elsewhere:
///
/// ```swift
/// PromiseDiagnostics.handler = { report in
///     print("unhandled:", report.description)
/// }
/// ```
public enum PromiseDiagnostics: Sendable {
    /// One thing that went wrong unseen.
    public struct Report: Sendable, CustomStringConvertible {
        /// What a report is about.
        public enum Problem: Sendable {
            /// A chain was rejected and its last reference went before anyone asked for the error.
            case unhandled(any Error)
            /// The transition of this event was rejected, and the system has no `onError`.
            case failedTransition(any Error, event: String)
            /// The transition of this event has been running for longer than this.
            case longTransition(Duration, event: String)
            /// The work of a feedback has failed, and the system has no `onError`.
            case failedEffect(any Error)
            /// This event was dropped: so many had begotten each other before it without an end.
            case runaway(event: String, after: Int)
            /// A reducer that changes its state in place has read that of the system; it was given the initial one.
            case stateReadByReducer
            /// Work has been waiting for the main queue for this long, and nothing has served the main queue yet: the
            /// main thread is blocked. Reported once.
            case mainQueueNotServed(Duration)
        }

        /// What happened.
        public let problem: Problem
        /// Where the promise was made, or the event was sent.
        public let origin: Origin

        package init(problem: Problem, origin: Origin) {
            self.problem = problem
            self.origin = origin
        }

        /// One line that says what happened and where.
        public var description: String {
            switch problem {
            case .unhandled(let error):
                "Unhandled error of the promise made at \(origin): \(error)"
            case .failedTransition(let error, let event):
                "The transition of \(event), sent at \(origin), failed: \(error)"
            case .longTransition(let duration, let event):
                "The transition of \(event), sent at \(origin), is still running after \(duration)"
            case .failedEffect(let error):
                "The work of the feedback made at \(origin) failed: \(error)"
            case .runaway(let event, let count):
                "The event \(event), sent at \(origin), was dropped: \(count) events begot each other before it"
            case .stateReadByReducer:
                "The reducer that changed the state for the event sent at \(origin) also read it from the system, and "
                    + "was given the initial one: use the argument"
            case .mainQueueNotServed(let duration):
                "Work has been waiting for the main queue for \(duration), and nothing serves it: the main thread is "
                    + "blocked. Await something in an async main or call dispatchMain(); or run the work elsewhere, "
                    + "as in subscribe(on: .serial(\"output\"))"
            }
        }
    }

    // In a struct, or the closure would be wrapped in another at each look.
    private struct Handler {
        let receive: @Sendable (Report) -> Void
    }

    private static let replaced = Lock<Handler?>(nil)

    /// Receives every report, on whichever thread it comes from; nil for the default, a line on standard error.
    public static var handler: (@Sendable (Report) -> Void)? {
        get { replaced.withLock { $0 }?.receive }
        set { replaced.withLock { $0 = newValue.map(Handler.init) } }
    }

    package static func report(_ report: Report) {
        if let handler { return handler(report) }
        let line = Array((report.description + "\n").utf8)
        _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }
}
