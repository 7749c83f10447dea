internal import Promise
public import PromisedSystem

/// The value of a key that changes. Until that of the present key was fetched, it is the value of the key before.
public struct Followed<Key: FetchKey>: Sendable {
    /// The present key.
    public var key: Key
    /// The model of the present key; or the value of the key before, with the progress or the failure of the present
    /// one.
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
        let last = LastFollowed<Key>()
        return last.noting(keys.removeDuplicates().flatMap { self.source($0, freshFor, after: last) })
    }

    /// The value of a key that changes, and that may be missing: then nothing is fetched and shown.
    ///
    /// - Parameters:
    ///   - keys: The key; nil for none.
    ///   - freshFor: How old a value may be that is shown without fetching it again.
    public func source<Key: FetchKey>(
        following keys: Source<Key?>, freshFor: Duration = .zero
    ) -> Source<Followed<Key>?> where Key.Client == Client {
        let last = LastFollowed<Key>()
        return last.noting(
            keys.removeDuplicates().flatMap { key in
                if let key { return self.source(key, freshFor, after: last).optional() }
                last.exchange(for: nil)
                return .constant(nil)
            })
    }

    private func source<Key: FetchKey>(
        _ key: Key, _ freshFor: Duration, after last: LastFollowed<Key>
    ) -> Source<Followed<Key>> where Key.Client == Client {
        let entry = entry(key)
        let hasValue = Lock(false)
        let isRead = { @Sendable in last.isRead || isObservationTracked }
        let source = entry.source(freshFor: freshFor, isRead: isRead)
        // A value that is removed is not shown as the one before any more.
        let removals = last.present.flatMap { $0.key == key ? nil : $0.entry.removalCount } ?? .constant(0)
        return source.combined(with: removals).map { model, _ in
            let value = model.fetched?.value
            // A value that goes while it is shown was removed.
            let isRemoved = hasValue.exchange(for: value != nil) && value == nil
            if value != nil || isRemoved { last.exchange(for: value.map { .init(key, $0, entry) }) }
            return Followed(key: key, model, last: last.present)
        }
    }
}

extension Followed {
    /// - Parameter last: The value that was shown last, of this key or of the one before.
    fileprivate init(key: Key, _ model: Fetchable<Key.Value>, last: LastFollowed<Key>.ShownValue?) {
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

/// The value that was shown last, and its key.
private final class LastFollowed<Key: FetchKey>: Sendable {
    struct ShownValue: Sendable {
        let key: Key
        let value: Key.Value
        let entry: FetchEntry<Key>
        let removals: Int

        init(_ key: Key, _ value: Key.Value, _ entry: FetchEntry<Key>) {
            (self.key, self.value, self.entry, removals) = (key, value, entry, entry.removals)
        }
    }

    private let content = Lock((shown: ShownValue?.none, isRead: false))

    /// Nil as well if it was removed since.
    var present: ShownValue? {
        content.withLock { $0.shown }.flatMap { $0.removals == $0.entry.removals ? $0 : nil }
    }
    /// Whether it is read under observation: then each observer of a key is, also one that begins with another key.
    var isRead: Bool { content.withLock { $0.isRead } }

    func exchange(for other: ShownValue?) {
        // Released outside of the lock.
        let before = content.withLock { content in
            defer { content.shown = other }
            return content.shown
        }
        withExtendedLifetime(before) {}
    }

    /// The same source, whose observers are noted.
    func noting<Value>(_ source: Source<Value>) -> Source<Value> {
        var source = source
        source.attach = { [attach = source.attach] replayCurrent, body, onEnd in
            let isRead = isObservationTracked
            self.content.withLock { $0.isRead = isRead }
            return attach(replayCurrent, body, onEnd)
        }
        return source
    }
}
