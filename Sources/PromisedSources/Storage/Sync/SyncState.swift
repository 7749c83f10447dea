/// Keeps a value here and one elsewhere the same: the state of a system, which makes one request at a time.
struct SyncState<Value: Versioned>: Sendable {
    enum Request: Sendable {
        case get
        case create(Value)
        case update(Value, old: Value)
        case delete(Value)
    }

    /// A value from there that is to be stored here, unless there was a change by then.
    struct Arrival: Sendable {
        /// Nil if it was deleted there.
        let value: Value?
        /// The revision of the value here with which it was compared.
        let over: Int
        /// The record without it.
        let before: SyncRecord<Value>?
        /// Alternates, so that an equal arrival is tried again.
        let isSecond: Bool
    }

    var local: Value?
    /// The known state of the server. Without a value here, and with a record of any kind, the value was removed here.
    var record: SyncRecord<Value>?
    /// The revision of the value here: it may have been changed since, but `local` does not know that.
    var revision = 0
    var request: Request? = .get
    /// Alternates, so that two equal requests in a row are two.
    var isSecond = false
    /// Whether something has happened since the request began that it knows nothing of.
    var isStale = false
    var arrival: Arrival?
    /// Why the last request has failed; it will be tried again.
    var failure: SyncFailure?
    /// Whether it waits before it tries again.
    var isWaiting = false
    /// Whether the program was killed when a removal was noted, and not written. The value exists as if it had not
    /// been removed; if the server has none, it was.
    var isRemovalUnwritten = false
}

enum SyncEvent<Value: Versioned>: Sendable {
    case activated
    /// The value here, and the removals since the last such event.
    case localChanged(Value?, revision: Int, removed: Value? = nil)
    /// The value here can't be read any more.
    case unreadable(revision: Int)
    /// The value here was dropped by a cache.
    case dropped(revision: Int)
    case got(Value?)
    case done
    case failed(SyncFailure)
    case waited
}

/// An error, which equals others of the same text.
struct SyncFailure: Sendable, Hashable {
    let error: any Error

    static func == (left: Self, right: Self) -> Bool { "\(left.error)" == "\(right.error)" }
    func hash(into hasher: inout Hasher) { hasher.combine("\(error)") }
}

extension SyncState {
    /// - Parameter present: The stored value; nil if there is none.
    init(_ present: Value?, _ record: SyncRecord<Value>?, revision: Int) {
        (local, self.record, self.revision) = (present, record, revision)
        // Each value is stored before its record, so without it, or with an older one, it was removed unnoticed.
        guard let record, record.kind != .arriving else { return }
        if present.map({ $0.version < record.value.version }) ?? true { self.record?.kind = .removed }
        isRemovalUnwritten = record.kind == .removed && present?.version == record.value.version
    }

    mutating func handle(_ event: SyncEvent<Value>) {
        switch event {
        case .activated: look()
        case .waited: if isWaiting { begin(.get) }
        case .localChanged(let value, let revision, let removed):
            self.revision = revision
            if let removed, case .some = value {
                record = .of(removed, .removed, after: arrival?.before ?? record)
                (local, arrival) = (nil, nil)
            }
            localChanged(to: value)
        case .unreadable(let revision):
            // It was not removed.
            (self.revision, local, record, arrival) = (revision, nil, nil, nil)
            look()
        case .dropped(let revision):
            // It was not removed, and it is not requested at once: another value would be dropped for it.
            (self.revision, local, record, arrival, isStale) = (revision, nil, nil, nil, true)
        case .got(let remote):
            (request, failure) = (nil, nil)
            let isSecond = arrival?.isSecond ?? false
            if let arrival = arrival.take() { record = arrival.before }
            compare(with: remote, isSecond: !isSecond)
        case .done: done()
        case .failed(let failure):
            // Whether the server has done it is unknown, so the next request asks.
            (request, self.failure, isStale, isWaiting) = (nil, failure, false, true)
        }
    }

    private mutating func begin(_ next: Request) {
        (request, isStale, isWaiting) = (next, false, false)
        isSecond.toggle()
    }

    /// Asks for the value there: at once, or after the request that is in flight.
    private mutating func look() {
        switch request {
        case nil: begin(.get)
        // Its answer is compared with the value here by then.
        case .get: break
        case .create, .update, .delete: isStale = true
        }
    }

    private mutating func done() {
        // Later changes are in the record, and the next request compares it.
        if isStale { return begin(.get) }
        switch request.take() {
        case .create(let value), .update(let value, _): record = SyncRecord(kind: .seen, value: value)
        case .delete: record = nil
        case .get, nil: break
        }
    }

    private mutating func localChanged(to value: Value?) {
        if let value, let local, value.version == local.version { return }
        if case nil = value, case nil = local { return }
        let before = local
        (local, isRemovalUnwritten) = (value, false)
        if let arrival = arrival.take() {
            let isArrival = arrival.value?.version == value?.version
            record = isArrival ? value.map { SyncRecord(kind: .seen, value: $0) } : arrival.before
            if isArrival { return }
        }
        if let before, case nil = value {
            record = .of(before, .removed, after: record)
        }
        look()
    }

    private mutating func compare(with remote: Value?, isSecond: Bool) {
        let known = record?.value.version
        switch (local, remote) {
        case (nil, nil): record = nil
        case (nil, let remote?):
            guard let known, record?.kind != .arriving, remote.version <= known else {
                return arrive(remote, isSecond)
            }
            record?.kind = .removed
            begin(.delete(remote))
        case (let value?, nil):
            let isChanged = known.map { value.version > $0 } ?? true
            if record?.isShared == true || isRemovalUnwritten, !isChanged {
                arrive(nil, isSecond)
            } else {
                send(value, .create(value))
            }
        case (let value?, let remote?):
            if isOverRemoval(value), let known, remote.version <= known,
                remote.version != value.version || value.version == known
            {
                send(value, .update(value, old: remote))
            } else if remote.version == value.version {
                record = SyncRecord(kind: .seen, value: value)
            } else if remote.version > value.version || record?.isShared == true && value.version == known {
                // Without a change here, that of the server counts, also if others have begun from the start.
                arrive(remote, isSecond)
            } else {
                send(value, .update(value, old: remote))
            }
        }
    }

    private mutating func arrive(_ value: Value?, _ isSecond: Bool) {
        arrival = Arrival(value: value, over: revision, before: record, isSecond: isSecond)
        if let value { record = SyncRecord(kind: .arriving, value: value) }
    }

    /// Whether the value was set after a removal, without a greater version: it takes the place of everything up to
    /// the removals.
    private func isOverRemoval(_ value: Value) -> Bool {
        record.map { $0.kind == .removed && value.version <= $0.value.version } ?? false
    }

    private mutating func send(_ value: Value, _ request: Request) {
        record = .of(value, isOverRemoval(value) ? .removed : .sent, after: record)
        begin(request)
    }
}

extension SyncState: Equatable where Value: Equatable {}
extension SyncState: Hashable where Value: Hashable {}
extension SyncState.Request: Equatable where Value: Equatable {}
extension SyncState.Request: Hashable where Value: Hashable {}
extension SyncState.Arrival: Equatable where Value: Equatable {}
extension SyncState.Arrival: Hashable where Value: Hashable {}
extension SyncEvent: Equatable where Value: Equatable {}
extension SyncEvent: Hashable where Value: Hashable {}
