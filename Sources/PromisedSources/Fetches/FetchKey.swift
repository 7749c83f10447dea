public import Promise

/// A small value that describes a fetch: its content, and the request.
///
/// ```swift
/// import PromisedSources
///
/// struct Cities: Sendable {
///     let name: @Sendable (Int) -> Promise<String>
/// }
///
/// struct CityKey: FetchKey {
///     let id: Int
///     var path: [String] { ["cities", "\(id)"] }
///     func fetch(from cities: Cities) -> Promise<String> { cities.name(id) }
/// }
///
/// let fetches = Fetches(from: Cities { .value("city \($0)") }, on: .immediate)
/// let token = fetches.source(CityKey(id: 3)).subscribe { print($0.fetched?.value ?? "…") }
/// token.cancel()
/// ```
///
/// Equal keys share one request and one value. Retries, time limits and delays belong to the promise:
/// `Promise.retry(attempts: 3, backoff: .exponential(from: .seconds(1), upTo: .seconds(8))) { … }` runs on the
/// scheduler of the ``Fetches``, and is cancelled as a whole.
public protocol FetchKey: Hashable, Sendable {
    /// The origin of the value, such as the client of an interface: the same for all keys of one ``Fetches``.
    associatedtype Client: Sendable
    /// The fetched value.
    associatedtype Value: Sendable

    /// The place of the key in a tree: ``Fetches/invalidate(under:)`` reaches all keys under a path. Empty by default.
    var path: [String] { get }

    /// The use of the network by requests, the time limit of a fetch, and its repetition. By default requests need the
    /// network, a fetch may take a minute, and is not repeated.
    var options: FetchOptions { get }

    /// Describes one request. It starts when the promise is started.
    func fetch(from client: Client) -> Promise<Value>

    /// Describes a request for a value that was fetched before, for instance only of the changes since. By default
    /// the same as the first request.
    ///
    /// - Parameters:
    ///   - value: The value as it was fetched last, without optimistic changes; nil if there is none.
    ///   - client: What it is fetched from.
    func refresh(_ value: Value?, from client: Client) -> Promise<Value>

    /// Where the value is stored, if the ``Fetches`` have a storage; nil, the default, if it is not. It must be able to
    /// turn the value into data.
    var storageKey: StorageKey<Value>? { get }

    /// Whether a value is equal to the one that is shown: then it is not delivered again. By default, values are
    /// compared if they are `Equatable`, and all are different otherwise.
    static func areSame(_ one: Value?, _ other: Value?) -> Bool
}

extension FetchKey {
    /// Under no path but the empty one.
    public var path: [String] { [] }
    /// The value is not stored.
    public var storageKey: StorageKey<Value>? { nil }
    /// The default ones.
    public var options: FetchOptions { FetchOptions() }
    /// Fetches it as the first time.
    public func refresh(_ value: Value?, from client: Client) -> Promise<Value> { fetch(from: client) }
    /// False, as the values can't be compared.
    public static func areSame(_ one: Value?, _ other: Value?) -> Bool { false }
}

extension FetchKey where Value: Equatable {
    /// Compares the values.
    public static func areSame(_ one: Value?, _ other: Value?) -> Bool { one == other }
}
