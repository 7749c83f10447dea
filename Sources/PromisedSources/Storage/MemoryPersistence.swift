/// Keeps values in memory, for as long as this exists: for previews and tests of what stores something.
///
/// ```swift
/// import PromisedSources
///
/// let count = MemoryPersistence().source(for: StorageKey<Int>("count"))
/// count.value.set(1)
/// print(count.value.found?.value ?? 0)
/// // 1
/// count.value.found?.clear()
/// print(count.value.found == nil)
/// // true
/// ```
///
/// Copies share their values. It is a ``CachePersistence`` without limits.
public typealias MemoryPersistence = CachePersistence
