#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#elseif canImport(Bionic)
    internal import Bionic
#elseif canImport(WASILibc)
    internal import WASILibc
#endif
internal import Synchronization

/// Reports problems that no caller handles: unhandled errors, dropped events, transitions that take very long.
///
/// By default each report is printed as one line on standard error. Set ``handler`` to send reports elsewhere:
///
/// ```swift
/// PromiseDiagnostics.handler = { report in
///     print("unhandled:", report.description)
/// }
/// ```
public enum PromiseDiagnostics: Sendable {
    /// A problem and the place in the source where it originates.
    public struct Report: Sendable, CustomStringConvertible {
        /// The kinds of problems that are reported.
        public enum Problem: Sendable {
            /// A promise that was started was rejected, and its last reference was released before the error was
            /// handled or read. Cancellations are not reported.
            case unhandled(any Error)
            /// The promise that the reducer returned for this event was rejected, and the system has no `onError`.
            case failedTransition(any Error, event: String)
            /// The transition of this event has been running for longer than this duration.
            case longTransition(Duration, event: String)
            /// The work of a feedback failed, and the system has no `onError`.
            case failedEffect(any Error)
            /// This event was dropped: the cascade of events sent from inside other events reached the limit `after`.
            case runaway(event: String, after: Int)
            /// A reducer that changes its state in place read the system's state, and got the initial state. It should
            /// use its argument instead.
            case stateReadByReducer
            /// This event addressed a part of the state that was absent, so the reducer of that part was not called.
            case missedPart(event: String)
            /// Work has been pending on the main queue for this duration, and nothing has served the queue yet: the
            /// main thread is blocked. Reported once per process.
            case mainQueueNotServed(Duration)
        }

        /// The problem, with its error, event or duration.
        public let problem: Problem
        /// Where the promise or feedback was created, or the event was sent; a place in the library itself for
        /// ``Problem/mainQueueNotServed(_:)``.
        public let origin: Origin

        package init(problem: Problem, origin: Origin) {
            self.problem = problem
            self.origin = origin
        }

        /// One line of text, with the problem and its origin.
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
                "The event \(event), sent at \(origin), was dropped: the cascade of events sent from inside other "
                    + "events exceeded the limit of \(count)"
            case .stateReadByReducer:
                "The reducer for the event sent at \(origin) read the system's state while changing it, and got the "
                    + "initial state: use the reducer's argument"
            case .missedPart(let event):
                "The event \(event), sent at \(origin), addressed a part of the state that is absent: "
                    + "its reducer was not called"
            case .mainQueueNotServed(let duration):
                "Work has been waiting for the main queue for \(duration), and nothing serves it: the main thread is "
                    + "blocked. Await something in an async main or call dispatchMain(); or run the work elsewhere, "
                    + "as in subscribe(on: .serial(\"output\"))"
            }
        }
    }

    // A struct, as a closure stored in the lock directly would be wrapped in another thunk on each access.
    private struct Handler {
        let receive: @Sendable (Report) -> Void
    }

    private static let customHandler = Lock<Handler?>(nil)

    /// The closure that receives every report; nil, the default, prints each report as a line on standard error.
    ///
    /// It is called synchronously on the thread on which the problem is detected, so it must be thread-safe and should
    /// not block. It is not re-entered: problems that it causes itself, on its thread, are printed on standard error.
    public static var handler: (@Sendable (Report) -> Void)? {
        get { customHandler.withLock { $0 }?.receive }
        set {
            // The old handler is released outside the lock: it may hold the last reference to a promise whose unhandled
            // error is reported then.
            let old = customHandler.withLock { current in
                defer { current = newValue.map(Handler.init) }
                return current
            }
            withExtendedLifetime(old) {}
        }
    }

    /// Whether events for an absent part of the state are reported, as ``Report/Problem/missedPart(event:)``.
    ///
    /// The default is true: such an event is lost, most often because it was sent to an element that has been removed,
    /// or to an optional part that is not set yet. A system with an `onLoop` callback does not report them, as its
    /// records contain them.
    public static var reportsMissedParts: Bool {
        get { !ignoresMissedParts.load(ordering: .relaxed) }
        set { ignoresMissedParts.store(!newValue, ordering: .relaxed) }
    }

    private static let ignoresMissedParts = Atomic(false)

    /// Passes `report` to the handler, or prints it.
    ///
    /// - Parameter isOfReport: Whether the handler itself caused the problem; then it is printed.
    package static func report(_ report: Report, isOfReport: Bool = false) {
        let trampoline = Trampoline.current
        if !isOfReport, !trampoline.state.pointee.isReporting, let handler {
            trampoline.state.pointee.isReporting = true
            defer { trampoline.state.pointee.isReporting = false }
            return handler(report)
        }
        let line = Array((report.description + "\n").utf8)
        _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }
}
