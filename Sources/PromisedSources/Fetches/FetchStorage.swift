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
/// Values that another version of the program has stored are not read. A value keeps its age.
public struct FetchStorage: Sendable {
    let persistence: any Persistence
    let version: String
    let date: @Sendable () -> Date

    /// - Parameters:
    ///   - persistence: Keeps everything, as data.
    ///   - version: That of the program: it differs when stored values may have another form or meaning.
    ///   - date: Returns the date, for the age of a value. Called on the scheduler of the fetches, and on threads that
    ///     are the first to use a key.
    public init(
        _ persistence: some Persistence, version: String, date: @escaping @Sendable () -> Date = { Date() }
    ) { (self.persistence, self.version, self.date) = (persistence, version, date) }
}
