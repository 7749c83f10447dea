internal import Promise

/// An event of one key. Indirect, as every key has a system with room for several events.
indirect enum FetchEvent<Value: Sendable>: Sendable {
    case online(Bool, now: Duration)
    case observed(freshFor: Duration, now: Duration)
    case unobserved(freshFor: Duration, grace: Duration)
    /// The observers that have left have been away for long enough.
    case left
    case prefetch(freshFor: Duration, now: Duration)
    /// Requested by an observer.
    case refresh
    case refreshStale(now: Duration)
    case invalidated
    case cancelled
    /// With the changes that are not answered, or without.
    case removed(clears: Bool)
    case change(FetchChange<Value>)
    /// The change of this request was cleared for another of its keys.
    case withdrawn(ObjectIdentifier)
    /// Known from elsewhere.
    case provided(FetchUpdate<Value>, now: Duration)
    case fetched(Value, now: Duration)
    case fetchFailed(FetchFailure, now: Duration)
    case changed(FetchUpdate<Value>, now: Duration, FetchChange<Value>)
    case changeFailed(FetchFailure, FetchChange<Value>)
    /// It was unused for as long as it is kept.
    case unused
}

extension FetchEvent: Equatable where Value: Equatable {}
extension FetchEvent: Hashable where Value: Hashable {}

extension FetchEvent {
    /// The change that this event ends, with the error if it was not made.
    var ended: (change: FetchChange<Value>, error: (any Error)?)? {
        switch self {
        case .changed(_, _, let change): (change, nil)
        case .changeFailed(let failure, let change): (change, failure.error)
        default: nil
        }
    }
}
