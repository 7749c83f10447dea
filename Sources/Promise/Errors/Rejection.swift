internal import Synchronization

/// An error on its way down a chain, shared by every promise that it rejects.
///
/// It knows whether anyone asked for the error. When the last promise that holds it is released and the error was
/// not asked for, it is reported.
@usableFromInline
final class Rejection: Sendable {
    /// The error, in an object of its own that is released by the thread's list: an error may hold a promise that is
    /// rejected with an error that holds a promise…
    private final class Content: Sendable {
        let error: any Error

        init(_ error: any Error) { self.error = error }
    }

    private let content: Unmanaged<Content>
    @usableFromInline let origin: Origin
    private let state: Atomic<UInt8>

    private static var reportable: UInt8 { 1 }
    private static var handled: UInt8 { 2 }
    /// Made by the handler of ``PromiseDiagnostics``, which is not called for it: that would never end.
    private static var fromDiagnosticsHandler: UInt8 { 4 }

    @usableFromInline
    init(_ error: any Error, _ origin: Origin) {
        content = .passRetained(Content(error))
        self.origin = origin
        state = Atomic(Trampoline.current.state.pointee.isReporting ? Self.fromDiagnosticsHandler : 0)
    }

    @usableFromInline var error: any Error { content._withUnsafeGuaranteedRef { $0.error } }

    /// An error of a chain that was started.
    @usableFromInline
    static func reportable(_ error: any Error, _ origin: Origin) -> Rejection {
        let rejection = Rejection(error, origin)
        rejection.markReportable()
        return rejection
    }

    /// The one of everything that is cancelled.
    @usableFromInline static let cancellation = Rejection(CancellationError(), Origin("Promise/cancel", 0))

    /// The chain was started: the error is worth a report.
    @usableFromInline
    func markReportable() { _ = state.bitwiseOr(Self.reportable, ordering: .relaxed) }

    /// Returns the error to a caller who asked for it.
    @usableFromInline
    func markHandled() -> any Error {
        _ = state.bitwiseOr(Self.handled, ordering: .relaxed)
        return error
    }

    deinit {
        let marks = state.load(ordering: .relaxed)
        if marks & (Self.reportable | Self.handled) == Self.reportable, !(error is CancellationError) {
            PromiseDiagnostics.report(
                .init(problem: .unhandled(error), origin: origin),
                isOfReport: marks & Self.fromDiagnosticsHandler != 0)
        }
        Trampoline.current.deferRelease(.object(.fromOpaque(content.toOpaque())))
    }
}
