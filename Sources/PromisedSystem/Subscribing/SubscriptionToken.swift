internal import Synchronization

/// Cancels a subscription, a binding or a callback.
///
/// The token of ``Source/subscribe(replayCurrent:_:)`` must be retained: releasing it cancels the subscription. Tokens
/// of a system's bindings and callbacks need not be retained: these have the lifetime of the system, and the token only
/// cancels them earlier.
public final class SubscriptionToken: Sendable {
    // Unsafe because the compiler cannot verify that only the first call of `cancel()`, decided atomically, accesses
    // this.
    private nonisolated(unsafe) var end: (@Sendable () -> Void)?
    private let isOver = Atomic(false)
    private let endsOnRelease: Bool

    package init(endsOnRelease: Bool, _ end: @escaping @Sendable () -> Void) {
        (self.end, self.endsOnRelease) = (end, endsOnRelease)
    }

    deinit { if endsOnRelease { cancel() } }

    /// Cancels at once: nothing is delivered any more, not even the rest of a delivery in progress.
    ///
    /// Further calls are no-ops. Can be called from any thread.
    public func cancel() {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        end.take()?()
    }
}
