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
    /// After a failure, all is tried again; it is shown while no value is here.
    ///
    /// A value that is removed here is deleted there, and not stored again unless the server has a newer one. A value
    /// that is set after that takes the place of everything up to the removed one, whatever its version is. A value
    /// that was deleted there is removed here, unless it was changed here since.
    ///
    /// The value can be set and removed like any other, also by other sources of the key, and while it is not synced.
    /// Sync it once. The known state of the server is kept beside the value, as `name.synced`, and written before each
    /// request, so that nothing is lost or comes back when the process is killed. A value that a cache drops stays on
    /// the server, and is got the next time that it is looked for; a value dropped while it is not synced counts as
    /// removed.
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
        let notes = SyncNotes(self, key, value)
        let present = value.value
        let record = present.isUnreadable ? nil : notes.record
        // Before the system is notified, which may be later.
        let removals = value.subscribe { [notes] in notes.valueIs($0) }
        // The first is that of now: it may have changed since the state was created.
        var inputs: [Feedback<SyncState<Value>, SyncEvent<Value>>] = [
            events(of: value) { notes.event($0) }
        ]
        if let isActive {
            inputs.append(
                events(of: isActive.removeDuplicates(), replayCurrent: false) { $0 ? .activated : nil })
        }
        let system = syncSystem(
            SyncState(present.found?.value, record, revision: present.revision), on: scheduler, with: remote,
            notes.local, pause: pause, inputs: inputs)
        let failure = system.settled.map(\.failure).removeDuplicates()
        let shown = value.combined(with: failure).map { present, failure in present.showing(failure) }
        let owned = OwnedValue<Persistable<Value>>()
        let publishing = shown.subscribe { owned.set($0) }
        // The system lives as long as the source, and no longer for those who have subscribed to it.
        return owned.source { withExtendedLifetime((system, removals, publishing)) { shown.value } }
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

extension Persistable {
    fileprivate func showing(_ failure: SyncFailure?) -> Persistable {
        guard case .notFound(var notFound) = self, case nil = notFound.error else { return self }
        notFound.error = failure?.error
        return .notFound(notFound)
    }
}
