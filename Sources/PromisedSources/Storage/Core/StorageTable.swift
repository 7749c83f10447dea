internal import Promise
internal import PromisedSystem

/// The name and the type of a value: values of different types are different ones.
struct TypedName: Hashable, Sendable {
    let name: String
    private let type: ObjectIdentifier

    init(_ name: String, _ type: Any.Type) { (self.name, self.type) = (name, ObjectIdentifier(type)) }
}

/// The stored values that are in use, by name and type.
///
/// A source is shared for as long as a handle of it is retained. When the last one is released, it is written before
/// the source leaves the table, so that who asks for it meanwhile does not read an older value.
final class StorageTable: Sendable {
    private struct TableEntry: Sendable {
        let source: any StoredObject
        weak let handle: (any AnyObject & Sendable)?
        let mark: HandleMark
    }

    private let entries = Lock<[TypedName: TableEntry]>([:])
    private let signal = Lock<SubscriptionToken?>(nil)

    /// The number of values in use.
    var count: Int { entries.withLock { $0.count } }

    /// Refreshes the values on a scheduler whenever something becomes true.
    func refresh(with isActive: Source<Bool>, on scheduler: any SerialScheduler) {
        let token = isActive.removeDuplicates().subscribe(replayCurrent: false) { [weak self] isActive in
            if isActive { scheduler.schedule { [weak self] in self?.refresh() } }
        }
        signal.exchange(for: token)
    }

    func handle<Value: Sendable>(
        for name: String, _ make: () -> StoredSource<Value>
    ) -> StorageHandle<Value> {
        let key = TypedName(name, Value.self)
        while true {
            let entry = entries.withLock { $0[key] }
            if let handle = entry?.handle as? StorageHandle<Value> { return handle }
            let source = entry?.source as? StoredSource<Value> ?? make()
            let handle = StorageHandle(source) { [self] mark in release(key, source, mark) }
            let next = TableEntry(source: source, handle: handle, mark: handle.mark)
            let isAdded = entries.withLock { entries in
                guard entries[key]?.mark === entry?.mark else { return false }
                entries[key] = next
                source.isInUse = true
                return true
            }
            if isAdded { return handle }
        }
    }

    private func release(_ key: TypedName, _ source: some StoredObject, _ mark: HandleMark) {
        let isLast = entries.withLock { entries in
            guard entries[key]?.mark === mark else { return false }
            source.isInUse = false
            return true
        }
        guard isLast else { return }
        if let error = source.flush() { SourceProblem.reportUnwritten(error) }
        let removed = entries.withLock { entries in
            entries[key]?.mark === mark ? entries.removeValue(forKey: key) : nil
        }
        withExtendedLifetime(removed) {}
    }

    private var sources: [any StoredObject] { entries.withLock { $0.values.map(\.source) } }

    func refresh() { for source in sources { source.refresh() } }

    /// Reads a value again, if it is in use.
    func reload(_ name: TypedName) { entries.withLock { $0[name]?.source }?.reload() }

    func flush() throws {
        let errors = sources.compactMap { $0.flush() }
        if let error = errors.first { throw error }
    }
}

/// Distinguishes the handles of one source.
final class HandleMark: Sendable {}

/// Retained by the sources that users have. Its release is that of the last of them.
final class StorageHandle<Value: Sendable>: Sendable {
    let source: StoredSource<Value>
    let mark = HandleMark()
    private let onRelease: @Sendable (HandleMark) -> Void

    init(_ source: StoredSource<Value>, onRelease: @escaping @Sendable (HandleMark) -> Void) {
        (self.source, self.onRelease) = (source, onRelease)
    }

    deinit { onRelease(mark) }

    var erased: Source<Persistable<Value>> { source.state.source { self.source.model } }

    func replace(by value: Value?, if condition: (Persistable<Value>) -> Bool) -> Bool {
        withExtendedLifetime(self) { source.replace(by: value, if: condition) }
    }
}
