internal import Promise
public import PromisedSystem

/// The value of a key that changes. Until that of the present key was fetched, it is the value of the key before.
public struct Followed<Key: FetchKey>: Sendable {
    /// The present key.
    public var key: Key
    /// What is known of it; or the value of the key before, with the progress or the failure of the present one.
    public var model: Fetchable<Key.Value>
    /// Whether the value is that of the key before.
    public var isPrevious: Bool

    /// Creates it.
    public init(key: Key, model: Fetchable<Key.Value>, isPrevious: Bool = false) {
        (self.key, self.model, self.isPrevious) = (key, model, isPrevious)
    }
}

extension Followed: Equatable where Key.Value: Equatable {}

extension Fetches {
    /// The value of a key that changes, such as that of a search field. The previous value is shown until there is
    /// another one, and says that it is the previous one.
    ///
    /// - Parameters:
    ///   - keys: The key. A change ends the observation of the key before, and so its request.
    ///   - freshFor: How old a value may be that is shown without fetching it again.
    public func source<Key: FetchKey>(
        following keys: Source<Key>, freshFor: Duration = .zero
    ) -> Source<Followed<Key>> where Key.Client == Client {
        let last = Lock<(key: Key, value: Key.Value)?>(nil)
        return keys.removeDuplicates().flatMap { key in
            self.source(key, freshFor: freshFor).map { model in
                if let value = model.fetched?.value { last.exchange(for: (key, value)) }
                return Followed(key: key, model, last: last.withLock { $0 })
            }
        }
    }
}

extension Followed {
    /// - Parameter last: The value that was shown last, of this key or of the one before.
    fileprivate init(key: Key, _ model: Fetchable<Key.Value>, last: (key: Key, value: Key.Value)?) {
        let kept: Fetchable<Key.Value>? = last.flatMap { last in
            switch model {
            case .fetched: nil
            case .fetching(let fetching): .fetched(.init(last.value, isRefreshing: !fetching.isPaused))
            case .failure(let failure):
                .fetched(
                    .init(
                        last.value,
                        refreshFailure: .init(failure.error, failedAttempts: failure.failedAttempts),
                        refresh: failure.retry))
            }
        }
        self.init(key: key, model: kept ?? model, isPrevious: kept != nil && last?.key != key)
    }
}
