internal import Promise
public import PromisedSystem

extension Persistence {
    /// The value of a key, which is kept the same as that of a server.
    ///
    /// ```swift
    /// import PromisedSources
    ///
    /// struct Note: Versioned, Codable { var version: Int, text: String }
    ///
    /// let server = RemoteStorage<Note>(
    ///     get: { .value(Note(version: 1, text: "milk")) }, create: { _ in .value(()) },
    ///     update: { _, _ in .value(()) }, delete: { _ in .value(()) })
    /// let note = MemoryPersistence().synced(StorageKey("note"), with: server, on: .immediate)
    /// print(note.value.found?.text ?? "-")
    /// // milk
    /// ```
    ///
    /// When it is created, when the program becomes active and when the value is changed here, it gets the value of the
    /// server: a newer one is stored here, a newer one here is sent there, and one that is only here is created there.
    /// A value that is removed here is deleted there, and not stored again unless the server has a newer one; until
    /// that is done it is kept under another key, for the case that the program ends. After a failure, all is tried
    /// again; it is shown while no value is here.
    ///
    /// The value can be set and removed like any other, also by other sources of the key. Sync it once.
    ///
    /// - Parameters:
    ///   - key: The key of the value here.
    ///   - remote: The requests to the server, of which one is in flight at a time.
    ///   - scheduler: Where all this is done. Without the returned source, it ends.
    ///   - isActive: Whether the program is active.
    ///   - pause: How long it waits after a failure.
    public func synced<Value: Versioned>(
        _ key: StorageKey<Value>, with remote: RemoteStorage<Value>, on scheduler: some SerialScheduler,
        isActive: Source<Bool>? = nil, retryAfter pause: Duration = .seconds(30)
    ) -> Source<Persistable<Value>> {
        let value = source(for: key)
        let deleted = source(for: StorageKey<Value>("\(key.name).deleted", coder: key.coder))
        let local = SyncedLocal<Value> { value, revision in
            replace(value, for: key) { $0.revision == revision }
        } note: { removed in
            let present = deleted.value
            guard present.found?.version != removed?.version else { return }
            if let removed { present.set(removed) } else { present.found?.clear() }
        }
        // The first is that of now: it may have changed since the state was created.
        var inputs: [Feedback<SyncState<Value>, SyncEvent<Value>>] = [
            events(of: value) { .localChanged($0.found?.value, revision: $0.revision) }
        ]
        if let isActive {
            inputs.append(
                events(of: isActive.removeDuplicates(), replayCurrent: false) { $0 ? .activated : nil })
        }
        let present = value.value
        let system = syncSystem(
            SyncState(local: .init(present, deleted.value), revision: present.revision), on: scheduler,
            with: remote, local,
            pause: pause, inputs: inputs)
        let failure = system.settled.map(\.failure).removeDuplicates()
        // The system lives as long as the source.
        return value.combined(with: failure).map { [system] present, failure in
            withExtendedLifetime(system) { present.showing(failure) }
        }
    }
}

private func events<Input: Sendable, State: Sendable, Event: Sendable>(
    of source: Source<Input>, replayCurrent: Bool = true, _ event: @escaping @Sendable (Input) -> Event?
) -> Feedback<State, Event> {
    .atStart(
        Effect<Event> { effect in
            let token = source.subscribe(replayCurrent: replayCurrent) { (value: Input) in
                if let event = event(value) { effect.send(event) }
            }
            effect.onCancel { token.cancel() }
        })
}

extension SyncState.Local {
    fileprivate init(_ present: Persistable<Value>, _ deleted: Persistable<Value>) {
        if let found = present.found {
            self = .value(found.value)
        } else {
            self = deleted.found.map { .deleted($0.value) } ?? .none
        }
    }
}

extension Persistable {
    fileprivate func showing(_ failure: SyncFailure?) -> Persistable {
        guard case .notFound(var notFound) = self, case nil = notFound.error else { return self }
        notFound.error = failure?.error
        return .notFound(notFound)
    }
}
