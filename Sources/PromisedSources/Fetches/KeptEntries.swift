public import Promise
public import PromisedSystem

/// The entries that have something to keep, each with the source that was requested last: so a source that is requested
/// often is made once.
///
/// Keys are hashed and compared outside of the lock, as they are of user types.
@usableFromInline
final class KeptEntries: Sendable {
    @usableFromInline
    struct Kept: Sendable {
        let entry: any AnyFetchEntry
        @usableFromInline var source: (any AnyObject & Sendable)?
    }

    /// By the hashes of the keys.
    @usableFromInline let entries = Lock<[Int: [Kept]]>([:])

    @inlinable
    func source<Key: FetchKey>(_ key: Key, _ freshFor: Duration) -> Source<Fetchable<Key.Value>>? {
        let hash = key.hashValue
        guard let entries = entries.withLock({ $0[hash] }) else { return nil }
        for entry in entries {
            guard let kept = entry.source as? KeptSource<Key> else { continue }
            if kept.freshFor == freshFor, kept.key == key { return kept.source }
        }
        return nil
    }

    func remember(_ source: some AnyObject & Sendable, of entry: some AnyFetchEntry) {
        change(entry) { kept in if kept != nil { kept?.source = source } }
    }

    /// Retains or releases an entry.
    func keep(_ entry: any AnyFetchEntry, _ isKept: Bool) {
        change(entry) { kept in
            if !isKept { kept = nil } else if kept == nil { kept = Kept(entry: entry, source: nil) }
        }
    }

    private func change(_ entry: any AnyFetchEntry, _ body: (inout Kept?) -> Void) {
        let before = entries.withLock { entries -> Kept? in
            var others = entries[entry.hash, default: []]
            let place = others.firstIndex { $0.entry === entry }
            let before = place.map { others.remove(at: $0) }
            var after = before
            body(&after)
            if let after { others.append(after) }
            entries[entry.hash] = others.isEmpty ? nil : others
            return before
        }
        // Released here and not under the lock.
        withExtendedLifetime(before) {}
    }
}

/// A source for observers of one freshness.
@usableFromInline
final class KeptSource<Key: FetchKey>: Sendable {
    @usableFromInline let key: Key
    @usableFromInline let freshFor: Duration
    @usableFromInline let source: Source<Fetchable<Key.Value>>

    init(_ key: Key, _ freshFor: Duration, _ source: Source<Fetchable<Key.Value>>) {
        (self.key, self.freshFor, self.source) = (key, freshFor, source)
    }
}
