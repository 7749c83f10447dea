/// The problems of promises and schedulers that are reported to ``PromiseDiagnostics``.
public enum PromiseProblem: PromiseDiagnostics.Problem {
    /// A promise that was started was rejected, and its last reference was released before the error was handled or
    /// read. Cancellations are not reported.
    case unhandled(any Error)
    /// Work has been pending on the main queue for this duration, and nothing has served the queue yet: the main thread
    /// is blocked. Reported once per process.
    case mainQueueNotServed(Duration)

    /// One line of text, with the problem and its origin.
    public func description(at origin: Origin) -> String {
        switch self {
        case .unhandled(let error):
            "Unhandled error of the promise made at \(origin): \(error)"
        case .mainQueueNotServed(let duration):
            "Work has been waiting for the main queue for \(duration), and nothing serves it: the main thread is "
                + "blocked. Await something in an async main or call dispatchMain(); or run the work elsewhere, "
                + "as in subscribe(on: .serial(\"output\"))"
        }
    }
}
