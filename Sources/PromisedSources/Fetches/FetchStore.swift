internal import Foundation
internal import PromisedSystem

/// The storage of ``Fetches``. It is used on their scheduler, except that values are loaded anywhere.
struct FetchStore: Sendable {
    /// The description of a stored value whose key is unknown.
    struct Name: Codable, Hashable, Sendable {
        let path: [String]
        /// Whether it was invalidated since it was stored.
        var isStale = false
    }

    let storage: FetchStorage
    // Retained, so that they can be set.
    private let names: Source<Persistable<[String: Name]>>
    private let records: Source<Persistable<[ChangeRecord]>>

    init(_ storage: FetchStorage) {
        self.storage = storage
        names = storage.persistence.source(for: StorageKey("promised.values"))
        records = storage.persistence.source(for: .changes)
    }

    // MARK: Changes

    /// The changes that are not answered.
    var changes: [ChangeRecord] { records.value.found?.value ?? [] }

    /// Written before it is sent, as the program may be killed when the server has heard of it.
    func add(_ change: ChangeRecord) {
        let all = changes + [change]
        let isWritten = storage.persistence.replace(all, for: .changes) { _ in true }
        if !isWritten { records.value.set(all) }
    }

    func updateChanges(_ change: (inout [ChangeRecord]) -> Void) {
        var all = changes
        change(&all)
        if all.count != changes.count { records.value.set(all) }
    }

    // MARK: Values

    func place<Key: FetchKey>(of key: Key) -> StoredFetch<Key.Value>? {
        key.storageKey.flatMap { stored in
            guard let encode = stored.coder.encode, let decode = stored.coder.decode else { return nil }
            let record = StorageKey<FetchRecord>(
                stored.name, expiresAfter: stored.expiresAfter, priority: stored.priority)
            return StoredFetch(store: self, key: record, path: key.path, encode: encode, decode: decode)
        }
    }

    /// Forgets values of keys that may not be used yet.
    func remove(_ values: StoredValues) {
        update(values) { name, _ in
            storage.persistence.clear(StorageKey<FetchRecord>(name))
            return nil
        }
    }

    func invalidate(_ values: StoredValues) { update(values) { Name(path: $1.path, isStale: true) } }

    private func update(_ values: StoredValues, _ change: (String, Name) -> Name?) {
        var all = names.value.found?.value ?? [:]
        let meant = values.names(in: all)
        for (name, known) in meant { all[name] = change(name, known) }
        if !meant.isEmpty { names.value.set(all) }
    }

    func name(_ name: String) -> Name? { names.value.found?.value[name] }

    func note(_ known: Name?, of name: String) {
        guard self.name(name) != known else { return }
        var all = names.value.found?.value ?? [:]
        all[name] = known
        names.value.set(all)
    }
}

/// Values of keys that may not be used yet.
enum StoredValues: Sendable {
    case named(String)
    /// Those whose paths begin with this one.
    case under([String])

    func names(in all: [String: FetchStore.Name]) -> [String: FetchStore.Name] {
        switch self {
        case .named(let name): all[name].map { [name: $0] } ?? [:]
        case .under(let path): all.filter { $0.value.path.starts(with: path) }
        }
    }
}

/// The stored form of a value.
struct FetchRecord: Codable, Sendable {
    let version: String
    /// That of the answer.
    let date: Date
    let data: Data
}

/// The stored value of one key.
struct StoredFetch<Value: Sendable>: Sendable {
    let store: FetchStore
    let key: StorageKey<FetchRecord>
    let path: [String]
    let encode: @Sendable (Value) throws -> Data
    let decode: @Sendable (Data) throws -> Value

    /// The value with its age; nil for one that is stale. One without a name was forgotten, or its name was not written
    /// before the program was killed, so that it could not have been removed by its path.
    func load() -> (value: Value, age: Duration?)? {
        let storage = store.storage
        guard let known = store.name(key.name), let found = storage.persistence.source(for: key).value.found,
            !found.isExpired, found.value.version == storage.version,
            let value = try? decode(found.value.data)
        else { return nil }
        let age = storage.date().timeIntervalSince(found.value.date)
        let isStale = age < 0 || known.isStale
        return (value, isStale ? nil : .seconds(age))
    }

    func save(_ value: Value?, age: Duration?) {
        let storage = store.storage
        // A value that can't be stored replaces the one before, too.
        let data = value.flatMap { try? encode($0) }
        store.note(data == nil ? nil : FetchStore.Name(path: path), of: key.name)
        guard let data else { return storage.persistence.clear(key) }
        // Without an age, it is stale.
        let date = age.map { storage.date() - TimeInterval($0 / .seconds(1)) } ?? .distantPast
        storage.persistence.set(FetchRecord(version: storage.version, date: date, data: data), for: key)
    }
}
