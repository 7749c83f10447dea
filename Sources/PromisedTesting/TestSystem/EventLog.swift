import Promise
import PromisedSystem

/// What has happened in a tested system, in order, and what of it the test has accounted for.
struct EventLog<State: Sendable & Equatable, Event: Sendable>: Sendable {
    enum Kind: Sendable {
        case event(Event, Origin, Disposition)
        case shown(Shown<State>)
        /// A transition or an effect has failed; whether an `onError` has had the error.
        case failure(PromiseDiagnostics.Report, isHandled: Bool)
    }

    /// What became of an event.
    enum Disposition: Sendable {
        case processed
        /// It had none, for this reason.
        case hadNone(String)
    }

    struct Entry: Sendable {
        let kind: Kind
        /// In scheduler time.
        let instant: Duration
        var isAccountedFor = false
        /// Of a state: the one before it, with those parts of this one that were asserted; nil if none was.
        var assertedSoFar: State?
    }

    var entries: [Entry] = []
    /// How many events the test itself has sent from a place that have not had their turns.
    private var own: [Origin: Int] = [:]

    /// The test is about to send an event.
    mutating func expectOwn(from origin: Origin) { own[origin, default: 0] += 1 }

    /// Nothing was sent after all.
    mutating func expectNoOwn(from origin: Origin) { own[origin, default: 1] -= 1 }

    mutating func add(_ kind: Kind, at instant: Duration, isAccountedFor: Bool = false) {
        // What is shown again is no news.
        if case .shown(let shown) = kind, latest == shown.state { return }
        entries.append(Entry(kind: kind, instant: instant, isAccountedFor: isAccountedFor || takeOwn(kind)))
    }

    private mutating func takeOwn(_ kind: Kind) -> Bool {
        guard case .event(_, let origin, _) = kind, let count = own[origin] else { return false }
        own[origin] = count > 1 ? count - 1 : nil
        return true
    }

    /// The last event that came from a place, at or behind a place in this list.
    func event(from origin: Origin, since start: Int) -> Int? {
        entries.indices.dropFirst(start).last { place in
            if case .event(_, origin, _) = entries[place].kind { true } else { false }
        }
    }

    /// The events that are not accounted for, by their places.
    func openEvents() -> [(place: Int, event: Event, origin: Origin, disposition: Disposition)] {
        entries.indices.compactMap { place in
            guard !entries[place].isAccountedFor,
                case .event(let event, let origin, let disposition) = entries[place].kind
            else { return nil }
            return (place, event, origin, disposition)
        }
    }

    /// The failures that are not accounted for, by their places.
    func openFailures() -> [(place: Int, report: PromiseDiagnostics.Report, isHandled: Bool)] {
        entries.indices.compactMap { place in
            guard !entries[place].isAccountedFor,
                case .failure(let report, let isHandled) = entries[place].kind
            else { return nil }
            return (place, report, isHandled)
        }
    }
}
