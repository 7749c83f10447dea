internal import Foundation
internal import Promise

/// The values of a cache.
final class CacheContents: Sendable {
    private struct CacheState: Sendable {
        var index: CacheIndex<TypedName>
        var values: [TypedName: CachedValue] = [:]

        mutating func take(_ names: [TypedName]) -> [CachedValue] {
            names.compactMap { values.removeValue(forKey: $0) }
        }
    }

    struct CachedValue: Sendable {
        let value: any Sendable
        let date: Date
    }

    private let contents: Lock<CacheState>
    let table = StorageTable()
    let now: @Sendable () -> Date

    init(_ options: CacheOptions, now: @escaping @Sendable () -> Date) {
        contents = Lock(CacheState(index: CacheIndex(options)))
        self.now = now
    }

    var options: CacheOptions { contents.withLock { $0.index.options } }
    var count: Int { contents.withLock { $0.index.items.count } }
    var totalSize: Int { contents.withLock { $0.index.totalSize } }

    subscript(name: TypedName) -> CachedValue? { contents.withLock { $0.values[name] } }

    /// - Returns: The names of the values that were dropped for it.
    func add(
        _ value: CachedValue, as name: TypedName, size: Int, _ priority: CachePriority, deadline: Date?
    ) -> [TypedName] {
        let now = now()
        return change { index in
            index.add(name, size: size, priority: priority, deadline: deadline, at: now)
        } adding: { values in
            values.updateValue(value, forKey: name)
        }
    }

    func keeps(size: Int, _ priority: CachePriority) -> Bool {
        let now = now()
        return contents.withLock { $0.index.keeps(size: size, priority, at: now) }
    }

    func remove(_ name: TypedName) {
        _ = change { index in
            index.remove(name)
            return [name]
        }
    }

    func limit(to options: CacheOptions) {
        let now = now()
        reload(change { $0.limit(to: options, at: now) })
    }

    func reduce() {
        let now = now()
        reload(change { $0.reduce(at: now) })
    }

    func reload(_ names: [TypedName]) { for name in names { table.reload(name) } }

    /// Values are released outside of the lock.
    private func change(
        _ body: (inout CacheIndex<TypedName>) -> [TypedName],
        adding add: (inout [TypedName: CachedValue]) -> CachedValue? = { _ in nil }
    ) -> [TypedName] {
        let (names, released) = contents.withLock { contents in
            let before = add(&contents.values)
            let names = body(&contents.index)
            return (names, contents.take(names) + (before.map { [$0] } ?? []))
        }
        withExtendedLifetime(released) {}
        return names
    }
}

/// The place of a value in a cache.
struct CacheSlot<Value: Sendable>: StorageSlot {
    let name: TypedName
    let priority: CachePriority
    let expiresAfter: Duration?
    let contents: CacheContents

    /// So that the sum of the sizes of all values does not overflow.
    private static var largest: Int { .max >> 24 }

    func reading() -> () -> StoredContent<Value> {
        let stored = contents[name]
        return {
            guard let stored, let value = stored.value as? Value else { return .dropped }
            return .value(value, date: stored.date)
        }
    }

    func writing(_ value: Value?, date: Date, ifUnchanged isConditional: Bool) -> () throws -> SlotWrite {
        guard let value else {
            return {
                contents.remove(name)
                return SlotWrite()
            }
        }
        let size = min(cacheSize(of: value), Self.largest)
        let deadline = expiresAfter.map { date.addingTimeInterval($0.inSeconds) }
        return {
            // The present value stays, as the caller learns that the other one was not set.
            if isConditional, !contents.keeps(size: size, priority) {
                let limit = contents.options.maximumSize ?? 0
                throw StorageError(
                    name.name, .write, .tooLarge(size, limit: limit),
                    wayOut: "Raise the limit of the cache, or store less.")
            }
            let dropped = contents.add(
                .init(value: value, date: date), as: name, size: size, priority, deadline: deadline)
            return SlotWrite { if !dropped.isEmpty { contents.reload(dropped) } }
        }
    }

    var hasChanged: Bool { false }
}
