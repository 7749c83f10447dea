internal import Foundation
internal import Promise
internal import PromisedSystem

/// A stored value, shown at once when it is set and written afterwards.
final class StoredSource<Value: Sendable>: StateSource {
    let state = SourceState<Persistable<Value>>(isDerived: true)
    let slot: any StorageSlot<Value>
    let timing: StorageTiming
    let expiresAfter: Duration?
    /// Held while the slot is read or written. Recursive, as user defaults notify their observers in the middle.
    let access = RecursiveLock()
    let progress = Lock(WriteProgress())

    /// Whether a handle of it is retained. The last write of one without is its release, or the change after that.
    var isInUse: Bool {
        get { progress.withLock { $0.isInUse } }
        set { progress.withLock { $0.isInUse = newValue } }
    }

    init(_ slot: some StorageSlot<Value>, _ timing: StorageTiming, expiresAfter: Duration?) {
        (self.slot, self.timing, self.expiresAfter) = (slot, timing, expiresAfter)
    }

    // Or the scheduler would keep a timer for each value that was ever read.
    deinit { for timer in progress.withLock({ [$0.expiry, $0.pause] }) { timer?.cancel() } }

    var initialModel: Persistable<Value> { model(of: access.withLock { slot.reading() }()) }

    func start() { scheduleExpiry() }

    private var setAction: Action<Value> {
        action(StoredSource.set, at: { (model: Persistable<Value>) -> Action<Value>? in model.set })
    }

    private var clearAction: Action<Void> {
        action(StoredSource.clear, at: { (model: Persistable<Value>) -> Action<Void>? in model.found?.clear })
    }

    func model(of content: StoredContent<Value>) -> Persistable<Value> {
        switch content {
        case .value(let value, let date):
            progress.withLock { $0.date = date }
            return found(value, isExpired: isExpired(date))
        case .nothing: return .notFound(.init(set: setAction))
        case .dropped:
            var dropped = Persistable<Value>.NotFound(set: setAction)
            dropped.isDropped = true
            return .notFound(dropped)
        case .failure(let error): return .notFound(.init(error: error, set: setAction))
        }
    }

    private func found(_ value: Value, isExpired: Bool) -> Persistable<Value> {
        .found(.init(value, isExpired: isExpired, set: setAction, clear: clearAction))
    }

    // MARK: Changing

    private func set(_ value: Value) {
        change { $0 = found(value, isExpired: isExpired(timing.now())) }
    }

    private func clear() { change { $0 = .notFound(.init(set: setAction)) } }

    /// Counted before as well, so that nothing that is read meanwhile takes the place of the new value.
    private func change(_ body: (inout Persistable<Value>) -> Void) {
        let date = timing.now()
        progress.withLock { $0.beginChange(date) }
        update { model in
            let revision = model.revision
            body(&model)
            model.revision = revision + 1
        }
        progress.withLock { $0.made += 1 }
        changed()
    }

    private func changed() {
        scheduleExpiry()
        // Without a source in use, nothing would be left to write it after a pause.
        guard let pause = timing.pause, isInUse else {
            flush()
            return
        }
        guard progress.withLock({ $0.beginPause() }) else { return }
        let timer = timing.scheduler.schedule(after: pause) { [weak self] in
            self?.progress.withLock { $0.endPause() }
            self?.flush()
        }
        progress.withLock { if $0.isPausing { $0.pause = timer } }
    }

    // MARK: Expiry

    private func isExpired(_ date: Date) -> Bool { timeLeft(date).map { $0 <= .zero } ?? false }

    private func timeLeft(_ date: Date) -> Duration? {
        guard let expiresAfter else { return nil }
        let age = timing.now().duration(since: date)
        // Of a date to come nothing follows, except that a clock was wrong.
        return age < .seconds(-1) ? .zero : expiresAfter - age
    }

    /// Waits until the value expires, if it does. A date that is set back or forward meanwhile makes it wait once more.
    func scheduleExpiry() {
        let (date, made) = progress.withLock { ($0.date, $0.made) }
        guard let found = model.found, !found.isExpired, let left = timeLeft(date) else {
            return setTimer(nil)
        }
        guard left > .zero else { return show(at: made) { $0.isExpired = true } }
        setTimer(timing.scheduler.schedule(after: left) { [weak self] in self?.scheduleExpiry() })
    }

    private func setTimer(_ timer: ScheduledWork?) {
        progress.withLock { progress in
            defer { progress.expiry = timer }
            return progress.expiry
        }?.cancel()
    }

    /// Changes the notes shown beside the value, unless the value is changed meanwhile.
    func show(at made: Int, _ body: (inout Persistable<Value>.Found) -> Void) {
        update { model in
            guard case .found(var found) = model, progress.withLock({ $0.made == made }) else { return }
            body(&found)
            model = .found(found)
        }
    }
}
