internal import Promise

/// What happens to one key.
enum FetchEvent<Value: Sendable>: Sendable {
    case online(Bool, now: Duration)
    case observed(freshFor: Duration, now: Duration)
    case unobserved(freshFor: Duration)
    case prefetch(freshFor: Duration, now: Duration)
    /// Requested by an observer.
    case refresh
    case refreshStale(now: Duration)
    case invalidated
    case change(FetchChange<Value>)
    /// Known from elsewhere.
    case provided(Value, now: Duration)
    case fetched(Value, now: Duration)
    case fetchFailed(FetchFailure)
    case changed(Value, now: Duration, FetchChange<Value>)
    case changeFailed(FetchFailure, FetchChange<Value>)
    /// It was unused for as long as it is kept.
    case unused
}

extension FetchEvent: Equatable where Value: Equatable {}
extension FetchEvent: Hashable where Value: Hashable {}

/// A change of a value that the server has not answered yet.
///
/// Its closures can't be compared: two changes are taken for equal if they were made at one place in the source code
/// and have one number.
struct FetchChange<Value: Sendable>: Sendable, Hashable {
    /// Differs from those of the other changes that wait.
    var number = 0
    /// The part of the value that is fetched, such as a further page; nil for a change on the server. A part is fetched
    /// for an observer, and not twice at a time.
    var part: String?
    let origin: Origin
    let guess: @Sendable (inout Value) -> Void
    /// Makes the request, given the last value of the server.
    let send: @Sendable (Value?) -> Promise<Value>
    let resolver: Resolver<Value>?

    static func == (left: FetchChange, right: FetchChange) -> Bool {
        left.number == right.number && left.part == right.part && left.origin == right.origin
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(part)
        hasher.combine(origin)
    }
}
