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
            /// This event was for a part of the state that was not there, so the reducer of that part was not called.
            case missedPart(event: String)
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
            case .missedPart(let event):
                "The event \(event), sent at \(origin), was for a part of the state that is not there: "
                    + "its reducer was not called"
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
    ///
    /// What goes wrong inside the handler, on its thread, is not reported to it again but on standard error.
    public static var handler: (@Sendable (Report) -> Void)? {
        get { replaced.withLock { $0 }?.receive }
        set {
            // The old one is released outside the lock: with it may go the last reference to an error to be reported.
            let old = replaced.withLock { replaced in
                defer { replaced = newValue.map(Handler.init) }
                return replaced
            }
            withExtendedLifetime(old) {}
        }
    }

    /// Whether events for a part of the state that is not there are reported: ``Report/Problem/missedPart(event:)``.
    ///
    /// They are, unless this is set to false: most often such an event goes to an element that was removed meanwhile,
    /// or to a part whose turn has not come, and is lost. A system with an `onLoop` callback does not report them, as
    /// its records say so.
    public static var reportsMissedParts: Bool {
        get { !ignoresMissedParts.load(ordering: .relaxed) }
        set { ignoresMissedParts.store(!newValue, ordering: .relaxed) }
    }

    private static let ignoresMissedParts = Atomic(false)

    /// - Parameter isOfReport: Whether it comes of what the handler did.
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
