/// Keeps a value here and one elsewhere the same: the state of a system, which makes one request at a time.
struct SyncState<Value: Versioned>: Sendable {
    enum Local: Sendable {
        case none
        case value(Value)
        /// Removed here, and perhaps not there yet: this was the value.
        case deleted(Value)
    }

    enum Request: Sendable {
        case get
        case create(Value)
        case update(Value, old: Value)
        case delete(Value)
    }

    /// A value from there that is to be stored here, unless there was a change by then.
    struct Arrival: Sendable {
        let value: Value
        /// The revision of what is here with which it was compared.
        let over: Int
    }

    var local: Local
    /// The revision of what is here: it may have been changed since, but `local` does not know that.
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
}

enum SyncEvent<Value: Versioned>: Sendable {
    case activated
    case localChanged(Value?, revision: Int)
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
    mutating func handle(_ event: SyncEvent<Value>) {
        switch event {
        case .activated: look()
        case .waited: if isWaiting { begin(.get) }
        case .localChanged(let value, let revision):
            self.revision = revision
            localChanged(to: value)
        case .got(let remote):
            (request, failure) = (nil, nil)
            compare(with: remote)
        case .done:
            if case .delete = request, case .deleted = local { local = .none }
            request = nil
            if isStale { begin(.get) }
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
        // Its answer is compared with what is here by then.
        case .get: break
        case .create, .update, .delete: isStale = true
        }
    }

    private mutating func localChanged(to value: Value?) {
        switch (value, local) {
        case (let value?, .value(let old)) where value.version == old.version: return
        case (let value?, _):
            local = .value(value)
            let isArrival = arrival?.value.version == value.version
            arrival = nil
            if isArrival { return }
        case (nil, .value(let old)):
            local = .deleted(old)
            arrival = nil
        case (nil, _): return
        }
        look()
    }

    private mutating func compare(with remote: Value?) {
        switch (local, remote) {
        case (.none, nil): break
        case (.none, let remote?): arrival = Arrival(value: remote, over: revision)
        case (.value(let value), nil): begin(.create(value))
        case (.value(let value), let remote?):
            if remote.version > value.version { arrival = Arrival(value: remote, over: revision) }
            if remote.version < value.version { begin(.update(value, old: remote)) }
        case (.deleted, nil): local = .none
        case (.deleted(let value), let remote?):
            if remote.version > value.version {
                arrival = Arrival(value: remote, over: revision)
            } else {
                begin(.delete(remote))
            }
        }
    }

    var deleted: Value? { if case .deleted(let value) = local { value } else { nil } }
}

extension SyncState: Equatable where Value: Equatable {}
extension SyncState: Hashable where Value: Hashable {}
extension SyncState.Local: Equatable where Value: Equatable {}
extension SyncState.Local: Hashable where Value: Hashable {}
extension SyncState.Request: Equatable where Value: Equatable {}
extension SyncState.Request: Hashable where Value: Hashable {}
extension SyncState.Arrival: Equatable where Value: Equatable {}
extension SyncState.Arrival: Hashable where Value: Hashable {}
extension SyncEvent: Equatable where Value: Equatable {}
extension SyncEvent: Hashable where Value: Hashable {}
