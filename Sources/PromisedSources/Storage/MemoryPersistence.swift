public import Foundation
public import Promise
public import PromisedSystem

/// Keeps values in memory, for as long as this exists: for previews and tests of what stores something.
///
/// ```swift
/// import PromisedSources
///
/// let count = MemoryPersistence().source(for: StorageKey<Int>("count"))
/// count.value.set(1)
/// print(count.value.found?.value ?? 0)
/// // 1
/// count.value.found?.clear()
/// print(count.value.found == nil)
/// // true
/// ```
///
/// Copies share their values. It is a ``CachePersistence`` without limits.
public struct MemoryPersistence: Persistence {
    private let cache: CachePersistence

    /// Creates an empty storage.
    ///
    /// - Parameters:
    ///   - scheduler: Measures when a value expires, and publishes it there.
    ///   - now: The date, for expiry.
    public init(
        on scheduler: any SerialScheduler = QueueScheduler.serial("PromisedSources.memory"),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        cache = CachePersistence(on: scheduler, now: now)
    }

    /// The value of a key, as in ``Persistence/source(for:)``.
    public func source<Value: Sendable>(for key: StorageKey<Value>) -> Source<Persistable<Value>> {
        cache.source(for: key)
    }

    /// Sets the value of a key under a condition, as in ``Persistence/replace(_:for:if:)``.
    @discardableResult
    public func replace<Value: Sendable>(
        _ value: Value, for key: StorageKey<Value>, if condition: (Persistable<Value>) -> Bool
    ) -> Bool { cache.replace(value, for: key, if: condition) }

    /// Removes the value of a key under a condition, as in ``Persistence/clear(_:if:)``.
    @discardableResult
    public func clear<Value: Sendable>(
        _ key: StorageKey<Value>, if condition: (Persistable<Value>) -> Bool
    ) -> Bool { cache.clear(key, if: condition) }
}
