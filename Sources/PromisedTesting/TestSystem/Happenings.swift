import PromisedSystem

/// What has happened in a tested system, in order, and what of it the test has accounted for.
struct Happenings<State: Sendable & Equatable, Event: Sendable>: Sendable {
    enum Kind: Sendable {
        case event(Event, Origin, Fate)
        case shown(Shown<State>)
    }

    /// What became of an event.
    enum Fate: Sendable {
        case hadTurn
        /// It had none, for this reason.
        case hadNone(String)
    }

    struct Entry: Sendable {
        let kind: Kind
        /// In scheduler time.
        let instant: Duration
        var isAccountedFor = false
    }

    var entries: [Entry] = []
    /// How many events the test itself has sent from a place that have not had their turns.
    private var own: [Origin: Int] = [:]

    /// The test is about to send an event.
    mutating func expectOwn(from origin: Origin) { own[origin, default: 0] += 1 }

    /// Nothing was sent after all.
    mutating func expectNoOwn(from origin: Origin) { own[origin, default: 1] -= 1 }

    /// The latest state that was shown; nil before the first.
    var latest: State? {
        for entry in entries.reversed() { if case .shown(let shown) = entry.kind { return shown.state } }
        return nil
    }

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
    func openEvents(from start: Int = 0) -> [(place: Int, event: Event, origin: Origin, fate: Fate)] {
        entries.indices.dropFirst(start).compactMap { place in
            guard !entries[place].isAccountedFor,
                case .event(let event, let origin, let fate) = entries[place].kind
            else { return nil }
            return (place, event, origin, fate)
        }
    }

    /// The next state that is not accounted for, at or behind a place, and in the same turn if asked for.
    func openState(from start: Int = 0, inOneTurn: Bool = false) -> (place: Int, shown: Shown<State>)? {
        for place in entries.indices.dropFirst(start) {
            switch entries[place].kind {
            case .event where inOneTurn && place > start: return nil
            case .shown(let shown) where !entries[place].isAccountedFor: return (place, shown)
            case .event, .shown: continue
            }
        }
        return nil
    }

    /// The states that were shown in the turn of an event, before one that is not accounted for as well.
    func states(inTurnAt place: Int) -> [Int] {
        var places: [Int] = []
        for next in entries.indices.dropFirst(place + 1) {
            if case .event = entries[next].kind { break }
            if !entries[next].isAccountedFor { places.append(next) }
        }
        return places
    }
}
