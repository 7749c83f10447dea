internal import Synchronization

/// The way to end what a call has begun: a subscription, a binding, a callback.
///
/// The token of ``Source/subscribe(replayCurrent:_:)`` must be kept: when it goes, the subscription ends.
/// Tokens of a system's bindings and callbacks need not be kept: those live as long as the system, and the
/// token only ends them earlier.
public final class SubscriptionToken: Sendable {
    // Unsafe because the compiler cannot see that only the one who was the first to end it touches this, once.
    private nonisolated(unsafe) var end: (@Sendable () -> Void)?
    private let isOver = Atomic(false)
    private let endsOnRelease: Bool

    init(endsOnRelease: Bool, _ end: @escaping @Sendable () -> Void) {
        (self.end, self.endsOnRelease) = (end, endsOnRelease)
    }

    deinit { if endsOnRelease { cancel() } }

    /// Ends it at once: nothing is delivered any more, not even the rest of a delivery that is under way.
    ///
    /// Calling it again does nothing.
    public func cancel() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        end.take()?()
    }
}
