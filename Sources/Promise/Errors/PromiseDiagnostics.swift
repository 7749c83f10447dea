/// Reports problems that no caller handles, such as unhandled errors.
///
/// By default each report is printed on standard error, as one line and its notes. Set ``handler`` to send reports elsewhere:
///
/// ```swift
/// PromiseDiagnostics.handler = { report in
///     print("unhandled:", report.description)
/// }
/// ```
public enum PromiseDiagnostics: Sendable {
    /// A kind of problem that can be reported.
    ///
    /// To handle certain problems only, name them with the type that declares them:
    ///
    /// ```swift
    /// PromiseDiagnostics.handler = { report in
    ///     if case PromiseProblem.unhandled(let error) = report.problem { print(error) }
    /// }
    /// ```
    public protocol Problem: Sendable {
        /// One line of text, with the problem and its origin.
        func description(at origin: Origin) -> String
    }

    /// A problem and the place in the source where it originates.
    public struct Report: Sendable, CustomStringConvertible {
        /// The problem: a ``PromiseProblem``, or a problem of a module that is built on promises.
        public let problem: any Problem
        /// Where the problem originates, such as the place where a promise was created; a place in the library itself
        /// for ``PromiseProblem/mainQueueNotServed(_:)``.
        public let origin: Origin
        /// What may help to find the cause, a line each, such as the work that runs beside a long transition.
        public let notes: [String]

        package init(problem: any Problem, origin: Origin, notes: [String] = []) {
            self.problem = problem
            self.origin = origin
            self.notes = notes
        }

        /// One line of text, with the problem and its origin, and an indented line for each of the ``notes``.
        public var description: String {
            ([problem.description(at: origin)] + notes).joined(separator: "\n    ")
        }
    }

    // A struct, as a closure stored in the lock directly would be wrapped in another thunk on each access.
    private struct ReportHandler {
        let receive: @Sendable (Report) -> Void
    }

    private static let customHandler = Lock<ReportHandler?>(nil)

    /// The closure that receives every report; nil, the default, prints each report on standard error.
    ///
    /// It is called synchronously on the thread on which the problem is detected, so it must be thread-safe and should
    /// not block. It is not re-entered: problems that it causes itself, on its thread, are printed on
    /// standard error.
    public static var handler: (@Sendable (Report) -> Void)? {
        get { customHandler.withLock { $0 }?.receive }
        set {
            // The old handler is released outside the lock: it may hold the last reference to a promise whose unhandled
            // error is reported then.
            let old = customHandler.withLock { current in
                defer { current = newValue.map(ReportHandler.init) }
                return current
            }
            withExtendedLifetime(old) {}
        }
    }

    /// Whether the calling thread is inside the handler.
    static var isReporting: Bool { reportingThreads.current.withValue { $0 } }

    private static let reportingThreads = ThreadLocal { false }

    /// Passes `report` to the handler, or prints it.
    ///
    /// - Parameter isOfReport: Whether the handler itself caused the problem; then it is printed.
    package static func report(_ report: Report, isOfReport: Bool = false) {
        if !isOfReport, !isReporting, let handler {
            reportingThreads.current.withValue { $0 = true }
            defer { reportingThreads.current.withValue { $0 = false } }
            return handler(report)
        }
        printToStandardError(report.description)
    }
}
