internal import Synchronization

/// An error on its way down a chain, shared by every promise that it rejects.
///
/// It knows whether anybody asked for the error. When the last promise that holds it goes and nobody did,
/// it is reported.
@usableFromInline
final class Rejection: Sendable {
    @usableFromInline let error: any Error
    @usableFromInline let origin: Origin
    private let state = Atomic<UInt8>(0)

    private static var armed: UInt8 { 1 }
    private static var seen: UInt8 { 2 }

    @usableFromInline
    init(_ error: any Error, _ origin: Origin) {
        self.error = error
        self.origin = origin
    }

    /// An error of a chain that was started.
    @usableFromInline
    static func armed(_ error: any Error, _ origin: Origin) -> Rejection {
        let rejection = Rejection(error, origin)
        rejection.arm()
        return rejection
    }

    /// The one of everything that is cancelled.
    @usableFromInline static let cancellation = Rejection(CancellationError(), Origin("Promise/cancel", 0))

    /// The chain was started, so somebody counted on it.
    @usableFromInline
    func arm() { _ = state.bitwiseOr(Self.armed, ordering: .relaxed) }

    /// Gives the error to somebody who asked for it.
    @usableFromInline
    func look() -> any Error {
        _ = state.bitwiseOr(Self.seen, ordering: .relaxed)
        return error
    }

    deinit {
        guard state.load(ordering: .relaxed) == Self.armed, !(error is CancellationError) else { return }
        PromiseDiagnostics.report(.init(problem: .unhandled(error), origin: origin))
    }
}
