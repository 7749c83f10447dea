internal import Foundation
public import Promise
public import PromisedSystem
internal import Synchronization

/// Fetches values by key, each once for all who observe it, and keeps them for a while.
///
/// ```swift
/// import PromisedSources
///
/// struct GreetingKey: FetchKey {
///     let name: String
///     func fetch(from greeting: String) -> Promise<String> { .value("\(greeting), \(name)") }
/// }
///
/// let fetches = Fetches(from: "Hello", on: .immediate, keepingUnused: .seconds(300))
/// let ada = fetches.source(GreetingKey(name: "Ada"), freshFor: .seconds(60))
/// let token = ada.subscribe { print($0.fetched?.value ?? "…") }
/// token.cancel()
/// ```
///
/// Create one for all screens that share values, and pass it to them. All of its time is that of its scheduler.
///
/// - A value that is fresh is shown without a request. A stale one is shown while it is fetched again, and kept if that
///   fails; then the failure is beside it.
/// - There is one request at a time for each key. It is cancelled when the last observer goes. A fetched value is kept
///   for a while, in case another observer comes.
/// - Nothing is started while the device is offline. What waits continues later: first the changes, in order, then a
///   fetch. Coming back online also fetches observed values that are stale.
public final class Fetches<Client: Sendable>: Sendable {
    /// The client of all keys. A request that changes a value can use it as well.
    public let client: Client
    let scheduler: any SerialScheduler
    let gate: OnlineGate
    let isOnline: Source<Bool>
    private let keepingUnused: Duration
    let store: FetchStore?
    /// The stored changes that these fetches send.
    let sending = Lock<Set<UUID>>([])
    /// The entries, for as long as something else retains them.
    private let entries = WeakTable<EffectKey>()
    /// The same by their paths.
    let paths = PathIndex()
    /// The entries that have something to keep.
    @usableFromInline let kept = KeptEntries()
    private let made = Atomic(0)
    /// Where each entry is recorded.
    let recordings = Lock<[RecordingSink]>([])

    /// - Parameters:
    ///   - client: What all keys are fetched from.
    ///   - scheduler: Runs the requests, measures all times, and delivers the values.
    ///   - isOnline: Whether requests can succeed at present.
    ///   - keepingUnused: How long a value is kept after its last observer was removed, or after it was prefetched.
    ///   - storage: Keeps values and changes until the program is started again; nil for memory only.
    public init(
        from client: Client, on scheduler: some SerialScheduler, isOnline: Source<Bool> = .constant(true),
        keepingUnused: Duration = .seconds(300), storage: FetchStorage? = nil
    ) {
        (self.client, self.scheduler) = (client, scheduler)
        (self.isOnline, self.keepingUnused) = (isOnline, keepingUnused)
        (gate, store) = (OnlineGate(isOnline), storage.map { FetchStore($0) })
    }

    /// The value of a key, shared by all who ask for it.
    ///
    /// Subscribing fetches it, unless it is fresh; reading alone starts nothing.
    ///
    /// - Parameters:
    ///   - key: The key of the value.
    ///   - freshFor: How old a value may be that is shown without fetching it again.
    @inlinable
    public func source<Key: FetchKey>(
        _ key: Key, freshFor: Duration = .zero
    ) -> Source<Fetchable<Key.Value>> where Key.Client == Client {
        kept.source(key, freshFor) ?? makeSource(key, freshFor)
    }

    @usableFromInline
    func makeSource<Key: FetchKey>(
        _ key: Key, _ freshFor: Duration
    ) -> Source<Fetchable<Key.Value>> where Key.Client == Client {
        let entry = entry(key)
        let source = entry.source(freshFor: freshFor)
        kept.remember(KeptSource(key, freshFor, source), of: entry)
        return source
    }

    /// Fetches a value, unless there is a fresh one, for an observer that may come soon. Without one, it is discarded
    /// like any that is not used; a request that takes longer than that is cancelled.
    public func prefetch<Key: FetchKey>(
        _ key: Key, freshFor: Duration = .zero
    ) where Key.Client == Client { entry(key).prefetch(freshFor: freshFor) }

    /// Shows a value that is known from elsewhere, such as from a list, as if it had been fetched now. A fetch that is
    /// running is cancelled; guesses of changes that are not answered yet stay on top.
    public func set<Key: FetchKey>(_ value: Key.Value, for key: Key) where Key.Client == Client {
        entry(key).provide(FetchUpdate(value))
    }

    /// Shows a value that is computed from the present one, as if it had been fetched now: for
    /// messages that a server sends by itself. A fetch that is running is cancelled; guesses of changes that are not
    /// answered yet stay on top.
    ///
    /// ```swift
    /// import PromisedSources
    ///
    /// struct NewsKey: FetchKey {
    ///     func fetch(from server: [String]) -> Promise<[String]> { .value(server) }
    /// }
    ///
    /// let fetches = Fetches(from: ["Frost"], on: .immediate)
    /// let token = fetches.source(NewsKey()).subscribe { print($0.fetched?.value ?? []) }
    /// fetches.set(NewsKey()) { $0?.insert("Hail", at: 0) }
    /// token.cancel()
    /// ```
    ///
    /// - Parameters:
    ///   - key: The key of the value.
    ///   - change: Changes the last value of the server, which is nil if there is none. If it stays nil, nothing
    ///     happens. Called once, on the scheduler.
    public func set<Key: FetchKey>(
        _ key: Key, by change: @escaping @Sendable (inout Key.Value?) -> Void
    ) where Key.Client == Client {
        entry(key).provide(FetchUpdate(by: change))
    }

    /// Makes the value of a key stale: it is fetched at once if it is observed, and otherwise when it is the next time.
    /// A fetch that is running is made again.
    public func invalidate<Key: FetchKey>(_ key: Key) where Key.Client == Client {
        perform(key, { $0.invalidate($1) }, { $0.invalidate() })
    }

    /// Makes the values of all keys stale whose paths begin with this one: all keys, if it is empty.
    public func invalidate(under path: [String]) {
        perform(under: path, { $0.invalidate($1) }, { $0.invalidate() })
    }

    /// Fetches observed values that are stale: call it when the user comes back to the app.
    public func refreshStale() { perform(under: []) { $0.refreshStale() } }

    /// Cancels the fetch of a key and those of further pages, for all observers. The value stays; without one,
    /// it shows a failure with a `CancellationError`, which can be retried. Changes continue.
    public func cancel<Key: FetchKey>(_ key: Key) where Key.Client == Client { perform(key) { $0.cancel() } }

    /// Cancels the fetches of all keys whose paths begin with this one.
    public func cancel(under path: [String]) { perform(under: path) { $0.cancel() } }

    /// Forgets the value of a key, and cancels its fetch. If it is observed, it is fetched like for the first time.
    /// Changes that are not answered go on.
    public func remove<Key: FetchKey>(_ key: Key) where Key.Client == Client {
        perform(key, { $0.remove($1) }, { $0.remove() })
    }

    /// Forgets the values of all keys whose paths begin with this one.
    public func remove(under path: [String]) {
        perform(under: path, { $0.remove($1) }, { $0.remove() })
    }

    /// Forgets all of a key: the value, and the changes that are not answered, whose promises are rejected with a
    /// `CancellationError`. Observed values are fetched again.
    public func clear<Key: FetchKey>(_ key: Key) where Key.Client == Client {
        perform(key, { $0.remove($1) }, { $0.clear() })
    }

    /// Forgets all of the keys whose paths begin with this one: call it with an empty path before another user signs
    /// in. Also their stored values that are not used, and stored changes that are not resumed.
    public func clear(under path: [String] = []) {
        let forget = { @Sendable (store: FetchStore, values: StoredValues) in
            store.remove(values)
            store.updateChanges { $0.removeAll { $0.isUnder(path) } }
        }
        perform(under: path, forget, { $0.clear() })
    }

    // MARK: Entries

    private typealias StoreAct = @Sendable (FetchStore, StoredValues) -> Void

    /// - Parameter storeAct: Applied to a stored value, first: a fetch that follows may be answered at once.
    private func perform<Key: FetchKey>(
        _ key: Key, _ storeAct: @escaping StoreAct = { _, _ in },
        _ act: @escaping @Sendable (FetchEntry<Key>) -> Void
    ) where Key.Client == Client {
        let entry = entries.object(of: FetchEntry<Key>.self, at: EffectKey(key))
        let stored = store.flatMap { store in key.storageKey.map { (store: store, name: $0.name) } }
        if entry == nil, stored == nil { return }
        scheduler.perform {
            if let stored { storeAct(stored.store, .named(stored.name)) }
            entry.map(act)
        }
    }

    private func perform(
        under path: [String], _ storeAct: @escaping StoreAct = { _, _ in },
        _ act: @escaping @Sendable (any AnyFetchEntry) -> Void
    ) {
        let entries = paths.entries(under: path)
        scheduler.perform { [store] in
            if let store { storeAct(store, .under(path)) }
            for entry in entries { act(entry) }
        }
    }

    func entry<Key: FetchKey>(_ key: Key) -> FetchEntry<Key> where Key.Client == Client {
        entries.object(at: EffectKey(key)) {
            let number = made.wrappingAdd(1, ordering: .relaxed).newValue
            let entry = FetchEntry(
                key, number: number,
                .init(
                    client: client, scheduler: scheduler, gate: gate, isOnline: isOnline,
                    keepingUnused: keepingUnused, storage: store, kept: kept, paths: paths))
            paths.add(entry)
            for sink in recordings.withLock({ $0 }) { entry.record(into: sink) }
            return entry
        }
    }
}

extension Fetches where Client == Void {
    /// Creates one for keys that need no client.
    ///
    /// - Parameters:
    ///   - scheduler: Runs the requests, measures all times, and delivers the values.
    ///   - isOnline: Whether requests can succeed at present.
    ///   - keepingUnused: How long a value is kept after its last observer was removed, or after it was prefetched.
    ///   - storage: Keeps values and changes until the program is started again; nil for memory only.
    public convenience init(
        on scheduler: some SerialScheduler, isOnline: Source<Bool> = .constant(true),
        keepingUnused: Duration = .seconds(300), storage: FetchStorage? = nil
    ) {
        self.init(
            from: (), on: scheduler, isOnline: isOnline, keepingUnused: keepingUnused, storage: storage)
    }
}
