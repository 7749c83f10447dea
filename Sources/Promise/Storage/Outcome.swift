/// The outcome of a promise. Its error still tracks whether it was handled.
@usableFromInline
package enum Outcome<Value: Sendable>: Sendable {
    case fulfilled(ValueBox<Value>)
    case rejected(Failure)

    var failure: Failure? { if case .rejected(let failure) = self { failure } else { nil } }

    /// The outcome as a `Result`; reading it marks the error as handled.
    var result: Result<Value, any Error> {
        switch self {
        case .fulfilled(let box): .success(box.value)
        case .rejected(let failure): .failure(failure.rejection.markHandled())
        }
    }
}

/// An error in flight that is not marked as handled yet.
@usableFromInline
package struct Failure: Sendable {
    let rejection: Rejection

    init(_ rejection: Rejection) { self.rejection = rejection }

    /// The error; reading it marks it as handled.
    @usableFromInline package var error: any Error { rejection.markHandled() }
    /// Marks the error to be reported if it is still unhandled when it is released: its promise was started.
    @usableFromInline
    package func markReportable() { rejection.markReportable() }
    /// Marks the error as handled without reading it: its last observer was cancelled, so it is not reported.
    func forget() { _ = rejection.markHandled() }
    /// Where the promise that failed was created.
    package var origin: Origin { rejection.origin }
}

/// One delivery to an observer: any number of interim values, then the outcome.
@usableFromInline
package enum Update<Value: Sendable>: Sendable {
    case interim(ValueBox<Value>)
    case outcome(Outcome<Value>)
}
