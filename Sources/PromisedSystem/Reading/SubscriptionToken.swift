internal import Promise

/// The way to end what a call has begun: a subscription, a binding, a callback.
///
/// The token of ``Source/subscribe(replayCurrent:_:)`` must be kept: when it goes, the subscription ends.
/// Tokens of a system's bindings and callbacks need not be kept: those live as long as the system, and the
/// token only ends them earlier.
public final class SubscriptionToken: Sendable {
    private let end: Lock<Action?>
    private let endsOnRelease: Bool

    init(endsOnRelease: Bool, _ end: @escaping @Sendable () -> Void) {
        self.end = Lock(Action(end))
        self.endsOnRelease = endsOnRelease
    }

    deinit { if endsOnRelease { cancel() } }

    /// Ends it at once: nothing is delivered any more, not even the rest of a delivery that is under way.
    ///
    /// Calling it again does nothing.
    public func cancel() {
        end.withLock { end in
            defer { end = nil }
            return end
        }?.run()
    }
}
