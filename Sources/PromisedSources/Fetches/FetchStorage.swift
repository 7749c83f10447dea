public import Foundation
internal import Promise
internal import PromisedSystem

/// Where ``Fetches`` keep values, and changes that are not answered, until the program is started again.
///
/// ```swift
/// import PromisedSources
///
/// struct RateKey: FetchKey {
///     var storageKey: StorageKey<Double>? { StorageKey("rate") }
///     func fetch(from rate: Double) -> Promise<Double> { .value(rate) }
/// }
///
/// let storage = FetchStorage(MemoryPersistence(), version: "1.2")
/// let token = Fetches(from: 1.1, on: .immediate, storage: storage).source(RateKey()).subscribe { _ in }
/// let next = Fetches(from: 1.2, on: .immediate, storage: storage)
/// print(next.source(RateKey()).value.fetched?.value ?? 0)
/// token.cancel()
/// ```
///
/// What another version of the program has stored is not read. A value has the age that it had.
public struct FetchStorage: Sendable {
    let persistence: any Persistence
    let version: String
    let date: @Sendable () -> Date

    /// - Parameters:
    ///   - persistence: Keeps everything, as data.
    ///   - version: That of the program: it differs when what is stored may have another form, or another meaning.
    ///   - date: Returns the date, for the age of a value.
    public init(
        _ persistence: some Persistence, version: String, date: @escaping @Sendable () -> Date = { Date() }
    ) { (self.persistence, self.version, self.date) = (persistence, version, date) }

    /// Where the value of a key is stored; nil if it is not.
    func place<Key: FetchKey>(of key: Key) -> StoredFetch<Key.Value>? {
        key.storageKey.flatMap { stored in
            guard let encode = stored.coder.encode, let decode = stored.coder.decode else { return nil }
            let key = StorageKey<FetchRecord>(
                stored.name, expiresAfter: stored.expiresAfter, priority: stored.priority)
            return StoredFetch(storage: self, key: key, encode: encode, decode: decode)
        }
    }
}

/// What is stored of a value.
struct FetchRecord: Codable, Sendable {
    let version: String
    let date: Date
    let data: Data
}

/// The place of a stored value.
struct StoredFetch<Value: Sendable>: Sendable {
    let storage: FetchStorage
    let key: StorageKey<FetchRecord>
    let encode: @Sendable (Value) throws -> Data
    let decode: @Sendable (Data) throws -> Value

    /// The value, and how old it is; nil if there is none that can be used. One that is from the future is stale.
    func load() -> (value: Value, age: Duration?)? {
        guard let found = storage.persistence.source(for: key).value.found, !found.isExpired,
            found.value.version == storage.version, let value = try? decode(found.value.data)
        else { return nil }
        let age = storage.date().timeIntervalSince(found.value.date)
        return (value, age >= 0 ? .seconds(age) : nil)
    }

    /// Stores a value, or removes it.
    func save(_ value: Value?, age: Duration?) {
        guard let value else { return storage.persistence.clear(key) }
        guard let data = try? encode(value) else { return }
        // Without an age, it is stale.
        let date = age.map { storage.date() - TimeInterval($0 / .seconds(1)) } ?? .distantPast
        storage.persistence.set(FetchRecord(version: storage.version, date: date, data: data), for: key)
    }
}
