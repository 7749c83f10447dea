public import Foundation
public import Promise
public import PromisedSystem

/// Keeps values in memory, up to a limit.
///
/// ```swift
/// import PromisedSources
///
/// let cache = CachePersistence(.count(2))
/// for name in ["a", "b", "c"] { cache.set("value of \(name)", for: StorageKey<String>(name)) }
/// for name in ["a", "b", "c"] { print(cache.source(for: StorageKey<String>(name)).value.found?.value ?? "-") }
/// // -
/// // value of b
/// // value of c
/// ```
///
/// When the limit is exceeded, expired values are dropped first, then those of a lower priority, then those that were
/// set earlier; a source of a dropped value shows that it is not found. A key without a value takes no room. A value
/// larger than the whole cache is not kept, and nothing is dropped for it: ``replace(_:for:if:)`` returns false, and
/// ``Persistence/update(_:for:_:)`` throws an error. Copies of this share their values.
public struct CachePersistence: Persistence {
    private let contents: CacheContents
    private let timing: StorageTiming

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - options: How much it keeps.
    ///   - scheduler: Measures when a value expires, and publishes it there.
    ///   - now: Returns the date, for expiry. Called on any thread that reads or sets a value.
    public init(
        _ options: CacheOptions = .none,
        on scheduler: any SerialScheduler = QueueScheduler.serial("PromisedSources.cache"),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        contents = CacheContents(options, now: now)
        timing = StorageTiming(scheduler: scheduler, pause: nil, now: now)
    }

    /// How much it keeps. Lowering a limit drops values at once.
    public var options: CacheOptions {
        get { contents.options }
        nonmutating set { contents.limit(to: newValue) }
    }

    /// The number of values.
    public var count: Int { contents.count }
    /// The sum of the sizes of the values.
    public var totalSize: Int { contents.totalSize }

    /// Drops the expired values and those of low priority: call it when the system warns that memory is short.
    public func memoryWarning() { contents.reduce() }

    /// The value of a key, as in ``Persistence/source(for:)``.
    public func source<Value: Sendable>(for key: StorageKey<Value>) -> Source<Persistable<Value>> {
        handle(key).erased
    }

    /// Sets the value of a key under a condition, as in ``Persistence/replace(_:for:if:)``.
    @discardableResult
    public func replace<Value: Sendable>(
        _ value: Value, for key: StorageKey<Value>, if condition: (Persistable<Value>) -> Bool
    ) -> Bool { handle(key).replace(by: value, if: condition) }

    /// Removes the value of a key under a condition, as in ``Persistence/clear(_:if:)``.
    @discardableResult
    public func clear<Value: Sendable>(
        _ key: StorageKey<Value>, if condition: (Persistable<Value>) -> Bool
    ) -> Bool { handle(key).replace(by: nil, if: condition) }

    private func handle<Value: Sendable>(_ key: StorageKey<Value>) -> StorageHandle<Value> {
        contents.table.handle(for: key.name) {
            let slot = CacheSlot<Value>(
                name: TypedName(key.name, Value.self), priority: key.priority, expiresAfter: key.expiresAfter,
                contents: contents)
            return StoredSource(slot, timing, expiresAfter: key.expiresAfter)
        }
    }
}
