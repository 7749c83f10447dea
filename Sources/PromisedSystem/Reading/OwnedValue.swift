/// A value that its owner sets from any thread, and that every subscriber of its source receives.
///
/// The value is visible to readers as soon as it is set, also in the middle of a delivery; values are delivered in the
/// order in which they were set, never nested. The source ends when this is released.
@usableFromInline
package final class OwnedValue<Value: Sendable>: Sendable {
    @usableFromInline let subject = Subject<Value>()
    @usableFromInline let identity = SourceIdentity<Value>()

    /// Creates it without a value, which must be set before its source has subscribers.
    @usableFromInline
    package init() {}

    deinit { subject.finish() }

    /// The value; nil before the first.
    @inlinable package var present: Value? { subject.present }

    /// Sets the value, and notifies the subscribers.
    @inlinable
    package func set(_ value: Value) { subject.publish(value) }

    /// Sets the value. The subscribers are notified by ``deliverNext()``, which has to be called once for each.
    @inlinable
    package func stage(_ value: Value) { subject.stage(value) }

    /// Notifies the subscribers of the first value that they were not notified of.
    @inlinable
    package func deliverNext() { subject.deliverNext() }

    /// Notifies the subscribers of the end.
    @usableFromInline
    package func finish() { subject.finish() }

    /// Whether its sources have subscribers.
    @inlinable package var hasSubscribers: Bool { subject.hasSubscribers }

    /// The source of the value. All sources of one owned value are equal.
    ///
    /// - Parameter prepare: Called before each read and subscription, to set the first value. The source retains it,
    ///   but its subscriptions do not.
    @inlinable
    package func source(_ prepare: @escaping @Sendable () -> Value) -> Source<Value> {
        subject.source(identity, read: prepare)
    }
}
