/// How the values of a key are fetched.
///
/// ```swift
/// import PromisedSources
///
/// struct PriceKey: FetchKey {
///     var options: FetchOptions { FetchOptions(timeLimit: .seconds(10), pollingEvery: .seconds(30)) }
///     func fetch(from price: Int) -> Promise<Int> { .value(price) }
/// }
///
/// let token = Fetches(from: 7, on: .immediate).source(PriceKey()).subscribe { print($0.fetched?.value ?? 0) }
/// token.cancel()
/// ```
public struct FetchOptions: Sendable, Hashable {
    /// The use of the network by the requests of a key.
    public enum Network: Sendable, Hashable {
        /// None is started while the device is offline, and delays in one, such as those between retries, last until it
        /// is online again.
        case needed
        /// As ``needed``, but a fetch that waits is tried once while offline, since a cache may answer it. A change
        /// waits.
        case triedFirst
        /// They can succeed at any time, such as those of a database.
        case notNeeded
    }

    /// The use of the network by requests.
    public var network: Network
    /// How long a fetch may take, with all of its retries; then it has failed with `PromiseError.timedOut`, so that a
    /// change that waits for it is sent; the same holds for each further page. While requests need the network and the
    /// device is offline, it does not run out. Nil for no limit. A change has none, since its request may have been
    /// heard: use `timeout` in the request where it needs one.
    public var timeLimit: Duration?
    /// The time from an answer or a failure to the next fetch, while the key is observed and the network can be used;
    /// nil for none.
    public var pollingEvery: Duration?

    /// Creates the options.
    public init(
        network: Network = .needed, timeLimit: Duration? = .seconds(60), pollingEvery: Duration? = nil
    ) { (self.network, self.timeLimit, self.pollingEvery) = (network, timeLimit, pollingEvery) }
}
