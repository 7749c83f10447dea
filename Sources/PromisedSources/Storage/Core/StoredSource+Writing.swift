internal import Promise
internal import PromisedSystem

/// A stored value of any type.
protocol StoredObject: AnyObject, Sendable {
    var isInUse: Bool { get set }
    /// Writes a pending value, before this returns.
    ///
    /// - Returns: The error if that fails, which is shown as well.
    @discardableResult
    func flush() -> (any Error)?
    /// Reads the value again if something else has changed it.
    func refresh()
    /// Reads the value again.
    func reload()
}

extension StoredSource: StoredObject {
    @discardableResult
    func flush() -> (any Error)? {
        // Under the lock, so that it waits for a write on another thread.
        while let count = access.withLock({ progress.withLock { $0.unwritten } }) {
            do {
                let (value, date) = (model.found?.value, progress.withLock { $0.date })
                let write = try slot.writing(value, date: date, ifUnchanged: false)
                guard let written = try access.withLock({ try perform(write, count) }) else { continue }
                written.afterwards?()
                if written.isSuperseded { reload() } else { show(nil, at: count) }
            } catch {
                show(error, at: count)
                return error
            }
        }
        return nil
    }

    /// - Returns: Nil if another thread has written it meanwhile.
    private func perform(_ write: () throws -> SlotWrite, _ count: Int) throws -> SlotWrite? {
        guard let before = progress.withLock({ $0.claim(count) }) else { return nil }
        do {
            return try write()
        } catch {
            progress.withLock { $0.giveBack(count, before) }
            throw error
        }
    }

    private func show(_ error: (any Error)?, at count: Int) {
        let hasError =
            switch model {
            case .found(let found): found.error != nil
            case .notFound(let notFound): notFound.error != nil
            }
        guard hasError || error != nil else { return }
        update { model in
            guard progress.withLock({ $0.made == count }) else { return }
            switch model {
            case .found(var found):
                found.error = error
                model = .found(found)
            case .notFound(var notFound):
                notFound.error = error
                model = .notFound(notFound)
            }
        }
    }

    func refresh() {
        guard state.isBegun else { return }
        flush()
        if access.withLock({ slot.hasChanged }) { reload() }
    }

    func reload() {
        guard state.isBegun else { return }
        let reading = access.withLock { () -> (Int, () -> StoredContent<Value>)? in
            guard let count = progress.withLock({ $0.claimReading() }) else { return nil }
            return (count, slot.reading())
        }
        guard let (count, read) = reading else { return }
        show(read(), at: count)
    }

    /// Shows the stored value, unless there was a change since.
    private func show(_ content: StoredContent<Value>, at count: Int) {
        update { present in
            guard progress.withLock({ $0.made == count }) else { return }
            let revision = present.revision
            present = model(of: content)
            present.revision = revision + 1
        }
        scheduleExpiry()
    }

    // MARK: Replacing

    /// Stores a value, or removes it if nil, if the present one satisfies a condition: the stored value is then the one
    /// that the condition was asked about, whatever other threads and processes do.
    func replace(by value: Value?, if condition: (Persistable<Value>) -> Bool) -> Bool {
        // An unreadable value may have been mended since.
        if model.isUnreadable { refresh() }
        guard condition(model) else { return false }
        while flush() == nil {
            if access.withLock({ slot.hasChanged }) { reload() }
            let (count, present) = (progress.withLock { $0.made }, model)
            guard condition(present), value != nil || present.found != nil else { return false }
            do {
                let date = timing.now()
                let write = try slot.writing(value, date: date, ifUnchanged: true)
                guard let (written, count) = try access.withLock({ try perform(write, count, present) })
                else {
                    continue
                }
                show(value.map { .value($0, date: date) } ?? .nothing, at: count)
                written.afterwards?()
                return true
            } catch {
                show(error, at: progress.withLock { $0.made })
                return false
            }
        }
        return false
    }

    /// - Returns: Nil if there was a change since the condition was asked, here or by another process.
    private func perform(
        _ write: () throws -> SlotWrite, _ count: Int, _ present: Persistable<Value>
    ) throws -> (SlotWrite, Int)? {
        guard let count = progress.withLock({ $0.claimReplacing(since: count, present.revision) }) else {
            return nil
        }
        let written = try write()
        if written.isSuperseded { return nil }
        progress.withLock { $0.isReplaced(present.revision) }
        return (written, count)
    }
}
