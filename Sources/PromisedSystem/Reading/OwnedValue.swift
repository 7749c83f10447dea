internal import Promise
public import Synchronization

/// A value that its owner sets from any thread, and that every subscriber of its source receives.
///
/// The value is visible to readers as soon as it is set, also in the middle of a delivery; values are delivered in the
/// order in which they were set, never nested. The source ends when this is released.
@usableFromInline
package final class OwnedValue<Value: Sendable>: Sendable {
    @usableFromInline let broadcaster = Broadcaster<Value>()
    /// Counts the changes. Changed under the lock of the broadcaster.
    @usableFromInline let version = Atomic(0)
    @usableFromInline let identity = SourceIdentity<Value>()

    /// Creates it without a value, which must be set before its source has subscribers.
    @usableFromInline
    package init() {}

    deinit { broadcaster.finish() }

    /// The value; nil before the first.
    @inlinable package var present: Value? { broadcaster.present?.value }

    /// Sets the value, and notifies the subscribers.
    @inlinable
    package func set(_ value: Value) { _ = set(value, ifStillAt: nil) }

    /// Sets the value unless it was set since it had a version.
    ///
    /// - Parameter before: The version; nil to set the value in any case.
    /// - Returns: Whether it was set.
    @inlinable
    package func set(_ value: Value, ifStillAt before: Int?) -> Bool {
        let box = ValueBox(value)
        var isSet = false
        broadcaster.publish {
            if let before, version.load(ordering: .relaxed) != before { return nil }
            version.wrappingAdd(1, ordering: .relaxed)
            isSet = true
            return box
        }
        return isSet
    }

    /// Changes the value: computes the next one under no lock, and again if it was set meanwhile.
    ///
    /// - Parameter body: Changes a copy of the value. It may be called several times, and there must be a value.
    @inlinable
    package func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result? {
        while true {
            let before = version.load(ordering: .acquiring)
            guard var value = present else { return nil }
            let result = try body(&value)
            if set(value, ifStillAt: before) { return result }
        }
    }

    /// Sets the value. The subscribers are notified by ``deliverNext()``, which has to be called once for each.
    @inlinable
    package func stage(_ value: Value) { broadcaster.stage(ValueBox(value)) }

    /// Notifies the subscribers of the first value that they were not notified of.
    @inlinable
    package func deliverNext() { broadcaster.deliverNext() }

    /// Notifies the subscribers of the end.
    @usableFromInline
    package func finish() { broadcaster.finish() }

    /// Whether its sources have subscribers.
    @inlinable package var hasSubscribers: Bool { broadcaster.contents.withLock { !$0.subscribers.isEmpty } }

    /// The source of the value. All sources of one owned value are equal.
    ///
    /// - Parameter prepare: Called before each read and subscription, to set the first value. The source retains it,
    ///   but its subscriptions do not.
    @inlinable
    package func source(_ prepare: @escaping @Sendable () -> Value) -> Source<Value> {
        let prepared = Source(nil, identity: identity, read: prepare) { [broadcaster] connects in
            if connects { _ = prepare() }
            return broadcaster
        }
        // Read directly: the value is never behind.
        return Source(
            identity: identity, read: prepare, isNotifying: { [broadcaster] in broadcaster.isNotifying },
            attach: prepared.attach)
    }
}
