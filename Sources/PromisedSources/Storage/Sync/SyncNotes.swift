internal import Promise
internal import PromisedSystem

/// The storage of a synced value and of its record, in an order that a process may be killed in at any point:
///
/// - A value is written before the record that the server may have it: else it would look as if it had been removed.
/// - The record of a removal is written before the removal, and both before the server is asked to delete the value.
final class SyncNotes<Value: Versioned>: Sendable {
    private let storage: any Persistence
    private let key: StorageKey<Value>
    private let recordKey: StorageKey<SyncRecord<Value>>
    private let value: Source<Persistable<Value>>
    /// The value that was here last.
    private let last = Lock<Value?>(nil)
    private let removed = Lock<Value?>(nil)
    private let isDropped = Lock(false)
    /// The revision at which the value is removed because it was deleted on the server.
    private let deleted = Lock<Int?>(nil)

    init(_ storage: any Persistence, _ key: StorageKey<Value>, _ value: Source<Persistable<Value>>) {
        (self.storage, self.key, self.value) = (storage, key, value)
        recordKey = SyncRecord.key(key)
    }

    var record: SyncRecord<Value>? { storage.source(for: recordKey).value.found?.value }

    var local: SyncedLocal<Value> {
        SyncedLocal(store: store, note: note) { [self] in
            try? storage.flush()
            if let error = value.value.problem { throw error }
        }
    }

    /// Notes a removal, on the thread that removes the value, before it is written.
    func valueIs(_ present: Persistable<Value>) {
        let before = last.exchange(for: present.found?.value)
        guard case .notFound = present, let before, !present.isUnreadable,
            deleted.withLock({ $0 }) != present.revision
        else { return }
        if present.notFound?.isDropped == true {
            isDropped.exchange(for: true)
            return write(nil)
        }
        removed.exchange(for: before)
        write(.of(before, .removed, after: record))
    }

    /// The value that was removed since the last call.
    private func takeRemoved() -> Value? { removed.exchange(for: nil) }

    /// The event for the value that is stored here now.
    func event(_ present: Persistable<Value>) -> SyncEvent<Value> {
        if present.isUnreadable { return .unreadable(revision: present.revision) }
        let (isDropped, removed) = (isDropped.exchange(for: false), takeRemoved())
        if isDropped, case .notFound = present { return .dropped(revision: present.revision) }
        return .localChanged(present.found?.value, revision: present.revision, removed: removed)
    }

    private func store(_ value: Value?, over revision: Int) {
        if let value {
            storage.replace(value, for: key) { $0.revision == revision }
        } else {
            deleted.exchange(for: revision + 1)
            storage.clear(key) { $0.revision == revision }
        }
    }

    private func note(_ record: SyncRecord<Value>?) {
        guard !SyncRecord.isSame(record, self.record) else { return }
        if record?.kind != .removed {
            try? storage.flush()
            // A value that can't be written is not there for the next process.
            if record != nil, value.value.problem != nil { return }
        }
        write(record)
    }

    /// At once, as no source of the record is retained.
    private func write(_ record: SyncRecord<Value>?) {
        if let record { storage.set(record, for: recordKey) } else { storage.clear(recordKey) }
    }
}

extension Persistable {
    var problem: (any Error)? { found?.error ?? notFound?.error }

    /// Whether there may be a value, which can't be read.
    var isUnreadable: Bool {
        notFound?.error.map { ($0 as? StorageError)?.operation ?? .read == .read } ?? false
    }
}
