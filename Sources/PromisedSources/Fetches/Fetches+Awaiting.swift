public import Promise
internal import PromisedSystem

extension Fetches {
    /// Fetches a value, unless there is a fresh one, and gives it to the one who has asked. While the device is
    /// offline, it is the present value; without one, it waits. Cancelling it does not cancel the fetch, like that of a
    /// prefetch.
    ///
    /// - Returns: The value, with the guesses of changes that are not answered, or the failure of the fetch.
    public func fetch<Key: FetchKey>(
        _ key: Key, freshFor: Duration = .zero
    ) -> Promise<Key.Value> where Key.Client == Client {
        let (entry, scheduler) = (entry(key), scheduler)
        return Promise { resolver in
            let subscription = LateToken()
            // Not now, as the key may be delivering what it has.
            let begin = scheduler.schedule(after: .zero) {
                entry.prefetch(freshFor: freshFor)
                // As an observer, it wants nothing else.
                subscription.begin(
                    entry.source(freshFor: .seconds(Int64.max)).subscribe { model in
                        if model.isLoading { return }
                        resolver.resolve(model.result)
                        subscription.end()
                    })
            }
            resolver.onCancel {
                begin.cancel()
                subscription.end()
            }
        }
    }

    /// Fetches a value, unless there is a fresh one: for `.refreshable`, and other places that await it.
    ///
    /// - Returns: The value, with the guesses of changes that are not answered.
    /// - Throws: The failure of the fetch.
    @discardableResult
    public func fetch<Key: FetchKey>(
        _ key: Key, freshFor: Duration = .zero
    ) async throws -> Key.Value where Key.Client == Client {
        let promise: Promise<Key.Value> = fetch(key, freshFor: freshFor)
        return try await promise.value
    }
}

/// A subscription that may be over before there is its token.
private final class LateToken: Sendable {
    private let content = Lock((isOver: false, token: SubscriptionToken?.none))

    func begin(_ token: SubscriptionToken) {
        let isOver = content.withLock { content in
            if !content.isOver { content.token = token }
            return content.isOver
        }
        if isOver { token.cancel() }
    }

    func end() {
        content.withLock { content in
            content.isOver = true
            return content.token.take()
        }?.cancel()
    }
}
