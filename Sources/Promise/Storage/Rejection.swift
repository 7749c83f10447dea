internal import Synchronization

/// An error that propagates down a chain, shared by every promise that it rejects.
///
/// It records whether the error was handled. When the last promise that holds it is released and the error is
/// unhandled, it is reported, provided that the chain was started.
@usableFromInline
final class Rejection: Sendable {
    /// The error, in an object of its own, whose release the thread's trampoline defers: an error may hold a promise
    /// that is rejected with an error that holds a promise…, which must not be released recursively.
    private final class ErrorObject: Sendable {
        let error: any Error

        init(_ error: any Error) { self.error = error }
    }

    private let content: Unmanaged<ErrorObject>
    let origin: Origin
    private let state: Atomic<UInt8>

    private static var reportable: UInt8 { 1 }
    private static var handled: UInt8 { 2 }
    /// The error was created inside ``PromiseDiagnostics/handler``, which is not called for it: that might recurse
    /// without end.
    private static var fromDiagnosticsHandler: UInt8 { 4 }

    init(_ error: any Error, _ origin: Origin) {
        content = .passRetained(ErrorObject(error))
        self.origin = origin
        state = Atomic(PromiseDiagnostics.isReporting ? Self.fromDiagnosticsHandler : 0)
    }

    var error: any Error { content._withUnsafeGuaranteedRef { $0.error } }

    /// Creates the error of a chain that was started.
    static func reportable(_ error: any Error, _ origin: Origin) -> Rejection {
        let rejection = Rejection(error, origin)
        rejection.markReportable()
        return rejection
    }

    /// The shared instance for all cancelled promises.
    static let cancellation = Rejection(CancellationError(), Origin("Promise/cancel", 0))

    /// Records that the chain was started: the error is reported if it stays unhandled.
    func markReportable() { _ = state.bitwiseOr(Self.reportable, ordering: .relaxed) }

    /// Marks the error as handled, so that it is not reported, and returns it.
    func markHandled() -> any Error {
        _ = state.bitwiseOr(Self.handled, ordering: .relaxed)
        return error
    }

    deinit {
        let marks = state.load(ordering: .relaxed)
        if marks & (Self.reportable | Self.handled) == Self.reportable, !(error is CancellationError) {
            PromiseDiagnostics.report(
                .init(problem: PromiseProblem.unhandled(error), origin: origin),
                isOfReport: marks & Self.fromDiagnosticsHandler != 0)
        }
        Trampoline.current.deferRelease(.object(.fromOpaque(content.toOpaque())))
    }
}
