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
    ///   - condition: Returns whether to set it, given the stored value. Called on the calling thread, before this
    ///     returns, and again if that value changes meanwhile.
    /// - Returns: Whether it was set: the stored value is then the one with which the condition was called last.
    @discardableResult
    func replace<Value: Sendable>(
        _ value: Value, for key: StorageKey<Value>, if condition: (Persistable<Value>) -> Bool
    ) -> Bool

    /// Removes the value of a key if the present one satisfies a condition, as one step.
    ///
    /// - Parameters:
    ///   - key: The key of the value.
    ///   - condition: Returns whether to remove it, given the stored value. Called on the calling thread, before this
    ///     returns, and again if that value changes meanwhile.
    /// - Returns: Whether it was removed; false if there was none. A storage without an implementation of its own calls
    ///   the action of the source, which a change by another thread can precede.
    @discardableResult
    func clear<Value: Sendable>(
        _ key: StorageKey<Value>, if condition: (Persistable<Value>) -> Bool
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
        let source = source(for: key)
        withExtendedLifetime(source) { source.value.set(value) }
    }

    /// Removes the value of a key whose source is not at hand; a no-op if there is none.
    public func clear(_ key: StorageKey<some Sendable>) {
        let source = source(for: key)
        withExtendedLifetime(source) { source.value.found?.clear() }
    }

    /// Removes the value of a key by the action of its source, if the present one satisfies a condition.
    @discardableResult
    public func clear<Value: Sendable>(
        _ key: StorageKey<Value>, if condition: (Persistable<Value>) -> Bool
    ) -> Bool {
        let source = source(for: key)
        let present = source.value
        guard let found = present.found, condition(present) else { return false }
        return withExtendedLifetime(source) {
            found.clear()
            return true
        }
    }

    /// Changes the value of a key as one step: reads it, changes it and stores it, whatever other threads do meanwhile,
    /// and with a ``FilePersistence`` also other processes.
    ///
    /// ```swift
    /// import PromisedSources
    ///
    /// let visits = StorageKey<Int>("visits")
    /// let memory = MemoryPersistence()
    /// for _ in 1...2 { try memory.update(0, for: visits) { $0 += 1 } }
    /// print(memory.source(for: visits).value.found?.value ?? 0)
    /// // 2
    /// ```
    ///
    /// It is stored when this returns.
    ///
    /// - Parameters:
    ///   - initial: The value to change if the key has none.
    ///   - key: The key of the value.
    ///   - body: Changes a copy of the value, on the calling thread and under no lock; called again if it was changed
    ///     meanwhile. It should do nothing else: if it set the value itself, it would be called endlessly.
    /// - Returns: What `body` has returned at last.
    /// - Throws: The error of `body`, or that of the storage if the stored value can't be read, or the new one can't
    ///   be stored. Then the stored value stays as it was.
    @discardableResult
    public func update<Value: Sendable, Result>(
        _ initial: Value, for key: StorageKey<Value>, _ body: (inout Value) throws -> Result
    ) throws -> Result {
        let source = source(for: key)
        while true {
            // Reads an unreadable value once more.
            if source.value.isUnreadable { replace(initial, for: key) { _ in false } }
            let present = source.value
            if present.isUnreadable, let error = present.problem { throw error }
            var value = present.found?.value ?? initial
            let result = try body(&value)
            if replace(value, for: key, if: { $0.revision == present.revision }) { return result }
            if let error = source.value.problem { throw error }
        }
    }
}
