public import PromisedSystem

/// Keeps values by their keys: in memory, in files, in user defaults, in a cache.
///
/// ```swift
/// import PromisedSources
///
/// let visits = StorageKey<Int>("visits")
///
/// func countVisit(in storage: some Persistence) {
///     let stored = storage.source(for: visits)
///     stored.value.set((stored.value.found?.value ?? 0) + 1)
/// }
///
/// let memory = MemoryPersistence()
/// countVisit(in: memory)
/// countVisit(in: memory)
/// print(memory.source(for: visits).value.found?.value ?? 0)
/// // 2
/// ```
///
/// Pass the storage to what needs it, so that a test can pass another one.
public protocol Persistence: Sendable {
    /// The value of a key. All who ask for one key, while any of them retains the source, share one value.
    ///
    /// The value is read when the source is first read or subscribed to, on that thread. It is shown as soon as it is
    /// set.
    func source<Value: Sendable>(for key: StorageKey<Value>) -> Source<Persistable<Value>>

    /// Sets the value of a key if the present one satisfies a condition, as one step.
    ///
    /// - Parameters:
    ///   - value: The value to set.
    ///   - key: The key of the value.
    ///   - condition: Returns whether to set it, given what is stored. Called again if that changes meanwhile.
    /// - Returns: Whether it was set.
    @discardableResult
    func replace<Value: Sendable>(
        _ value: Value, for key: StorageKey<Value>, if condition: (Persistable<Value>) -> Bool
    ) -> Bool

    /// Writes all values that are not written yet, before this returns, on the calling thread. Call it before the
    /// process ends.
    ///
    /// - Throws: The first error, when the rest has been written.
    func flush() throws
}

extension Persistence {
    /// A no-op, for a storage that writes at once.
    public func flush() throws {}

    /// Sets the value of a key whose source is not at hand. An action of a source does nothing once that is released,
    /// so `source(for: key).value.set(value)` would set nothing.
    public func set<Value: Sendable>(_ value: Value, for key: StorageKey<Value>) {
        replace(value, for: key) { _ in true }
    }

    /// Removes the value of a key whose source is not at hand; a no-op if there is none.
    public func clear(_ key: StorageKey<some Sendable>) {
        let source = source(for: key)
        withExtendedLifetime(source) { source.value.found?.clear() }
    }
}
