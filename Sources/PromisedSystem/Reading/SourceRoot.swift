internal import Promise
internal import Synchronization

/// The common part of all expressions of the parts of one owner's value, by the keys of the parts.
final class SourceRoot: Sendable {
    private struct PartObjectKey: Hashable, Sendable {
        let part: PartKey
        let collection: PartKey
        let type: ObjectIdentifier
    }

    // Created on first use, as most roots need none of these.
    private let lazyObjects = AtomicLazyReference<ObjectSubscriptions>()
    private let lazyTable = AtomicLazyReference<WeakTable<PartObjectKey>>()

    var objects: ObjectSubscriptions { lazyObjects.load() ?? lazyObjects.storeIfNil(ObjectSubscriptions()) }

    /// Whether there was a subscription by object.
    var hasObjects: Bool { lazyObjects.load() != nil }

    /// The object of a type that belongs to a part, or to a collection in it: the same one for as long as it is
    /// retained elsewhere.
    func shared<Object: AnyObject & Sendable>(
        at part: PartKey, _ collection: PartKey = .whole, _ make: () -> Object
    ) -> Object {
        let table = lazyTable.load() ?? lazyTable.storeIfNil(WeakTable())
        let key = PartObjectKey(part: part, collection: collection, type: ObjectIdentifier(Object.self))
        return table.object(at: key, make)
    }
}

/// A table of weakly referenced objects by key.
///
/// Keys are hashed, compared and released outside of the lock, as they contain values of user types. Weak references
/// are loaded outside of it too, as releasing the loaded reference may deallocate the object.
package final class WeakTable<Key: Hashable & Sendable>: Sendable {
    private struct WeakEntry: Sendable {
        let key: Key
        weak let object: (any AnyObject & Sendable)?
    }

    private struct TableState: Sendable {
        /// By the hash of the key.
        var entries: [Int: [WeakEntry]] = [:]
        var count = 0
        /// The count above which entries of deallocated objects are removed.
        var limit = 16
        /// Incremented with every change of the entries.
        var version = 0
    }

    private let state = Lock(TableState())

    package init() {}

    /// The object at a key, if there is one of this type.
    package func object<Object: AnyObject & Sendable>(of _: Object.Type, at key: Key) -> Object? {
        let hash = key.hashValue
        let entries = state.withLock { $0.entries[hash] ?? [] }
        for entry in entries where entry.key == key {
            if let object = entry.object as? Object { return object }
        }
        return nil
    }

    /// All objects that are alive, in no order.
    package var objects: [any AnyObject & Sendable] {
        state.withLock { $0.entries }.values.flatMap { $0.compactMap(\.object) }
    }

    /// The object at a key, made if there is none.
    package func object<Object: AnyObject & Sendable>(at key: Key, _ make: () -> Object) -> Object {
        let hash = key.hashValue
        while true {
            let (entries, version) = state.withLock { ($0.entries[hash] ?? [], $0.version) }
            var others: [WeakEntry] = []
            for entry in entries {
                guard entry.key == key else {
                    others.append(entry)
                    continue
                }
                if let object = entry.object as? Object { return object }
            }
            let object = make()
            if replace(entries, by: others + [WeakEntry(key: key, object: object)], hash, at: version) {
                return object
            }
        }
    }

    /// Replaces the entries of a hash, unless the table has changed since they were read.
    ///
    /// - Parameters:
    ///   - before: The entries at `version`.
    ///   - version: The version of the table at which `before` was read.
    /// - Returns: False if the table has changed since `version`; then nothing is replaced.
    private func replace(_ before: [WeakEntry], by entries: [WeakEntry], _ hash: Int, at version: Int) -> Bool
    {
        let (isReplaced, isFull) = state.withLock { state in
            guard state.version == version else { return (false, false) }
            state.entries[hash] = entries
            state.count += entries.count - before.count
            state.version += 1
            return (true, state.count > state.limit)
        }
        // The old entries are released here and not under the lock.
        withExtendedLifetime(before) {}
        if isFull { sweep() }
        return isReplaced
    }

    /// Removes the entries of deallocated objects; skipped until the next insertion if the table changes meanwhile.
    private func sweep() {
        var swept = state.withLock { $0 }
        let version = swept.version
        swept.entries = swept.entries.compactMapValues { entries in
            let living = entries.filter { $0.object != nil }
            return living.isEmpty ? nil : living
        }
        swept.count = swept.entries.values.reduce(0) { $0 + $1.count }
        swept.limit = max(16, 2 * swept.count)
        swept.version += 1
        state.withLock { if $0.version == version { swap(&$0, &swept) } }
    }
}
