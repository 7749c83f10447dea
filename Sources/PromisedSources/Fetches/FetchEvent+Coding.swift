/// An event of a key in a recording: without its time, which is that of the clock when it is sent again, and without
/// functions.
private enum CodedFetchEvent<Value: Codable & Sendable>: Codable {
    case online(Bool)
    case observed(freshFor: Duration)
    case unobserved(freshFor: Duration, grace: Duration)
    case left
    case prefetch(freshFor: Duration)
    case refresh, refreshStale, invalidated, cancelled
    case removed(clears: Bool)
    case provided(Value)
    case fetched(Value)
    case fetchFailed(String)
    case unused
    /// A change, or an answer to one: a function of the value.
    case function(String)

    init(_ event: FetchEvent<Value>) {
        self =
            switch event {
            case .online(let isOnline, _): .online(isOnline)
            case .observed(let freshFor, _): .observed(freshFor: freshFor)
            case .unobserved(let freshFor, let grace): .unobserved(freshFor: freshFor, grace: grace)
            case .left: .left
            case .prefetch(let freshFor, _): .prefetch(freshFor: freshFor)
            case .refresh: .refresh
            case .refreshStale: .refreshStale
            case .invalidated: .invalidated
            case .cancelled: .cancelled
            case .removed(let clears): .removed(clears: clears)
            case .provided(let update, _): update.whole.map { .provided($0) } ?? .function("provided")
            case .fetched(let value, _): .fetched(value)
            case .fetchFailed(let failure, _): .fetchFailed("\(failure.error)")
            case .unused: .unused
            case .change: .function("change")
            case .withdrawn: .function("withdrawn")
            case .changed: .function("changed")
            case .changeFailed: .function("changeFailed")
            }
    }

    /// Nil for a function.
    var event: FetchEvent<Value>? {
        switch self {
        case .online(let isOnline): .online(isOnline, now: .zero)
        case .observed(let freshFor): .observed(freshFor: freshFor, now: .zero)
        case .unobserved(let freshFor, let grace): .unobserved(freshFor: freshFor, grace: grace)
        case .left: .left
        case .prefetch(let freshFor): .prefetch(freshFor: freshFor, now: .zero)
        case .refresh: .refresh
        case .refreshStale: .refreshStale(now: .zero)
        case .invalidated: .invalidated
        case .cancelled: .cancelled
        case .removed(let clears): .removed(clears: clears)
        case .provided(let value): .provided(FetchUpdate(value), now: .zero)
        case .fetched(let value): .fetched(value, now: .zero)
        case .fetchFailed(let text):
            .fetchFailed(FetchFailure(RecordedFailure(description: text)), now: .zero)
        case .unused: .unused
        case .function: nil
        }
    }
}

/// An error of a recording, which has its text.
private struct RecordedFailure: Error, CustomStringConvertible {
    let description: String
}

extension FetchEvent: Codable where Value: Codable {
    init(from decoder: any Decoder) throws {
        let coded = try CodedFetchEvent<Value>(from: decoder)
        guard let event = coded.event else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "it changes the value by a function, which a recording does not have"))
        }
        self = event
    }

    func encode(to encoder: any Encoder) throws { try CodedFetchEvent(self).encode(to: encoder) }
}

extension FetchEvent {
    /// The event at another time.
    func at(_ now: Duration) -> FetchEvent {
        switch self {
        case .online(let isOnline, _): .online(isOnline, now: now)
        case .observed(let freshFor, _): .observed(freshFor: freshFor, now: now)
        case .prefetch(let freshFor, _): .prefetch(freshFor: freshFor, now: now)
        case .refreshStale: .refreshStale(now: now)
        case .provided(let update, _): .provided(update, now: now)
        default: self
        }
    }
}
