import Promise
import PromisedSystem

// The states that were shown. Each is compared with the previous one: the difference has to be asserted.
extension EventLog {
    /// The latest state that was shown; nil before the first.
    var latest: State? { state(before: entries.endIndex) }

    /// The index of the latest state that was shown; nil before the first.
    var indexOfLatest: Int? {
        entries.indices.last { if case .shown = entries[$0].kind { true } else { false } }
    }

    /// The last state that was shown before an index; nil if none was.
    ///
    /// - Parameter ifAccountedFor: Whether to consider only states that are accounted for.
    func state(before place: Int, ifAccountedFor: Bool = false) -> State? {
        for entry in entries[..<place].reversed() where !ifAccountedFor || entry.isAccountedFor {
            if case .shown(let shown) = entry.kind { return shown.state }
        }
        return nil
    }

    /// The state for comparison: the previous state, updated with the parts of this one that were already
    /// asserted.
    func stateToChange(at place: Int) -> State? { entries[place].partiallyAsserted ?? state(before: place) }

    /// The index after the last entry of an event's turn.
    private func endOfTurn(at place: Int) -> Int {
        entries.indices.dropFirst(place + 1).first { next in
            if case .event = entries[next].kind { true } else { false }
        } ?? entries.endIndex
    }

    /// The states that are not accounted for, at or after an index; only those of its turn if `inOneTurn` is true.
    func openStates(from start: Int = 0, inOneTurn: Bool = false) -> [(place: Int, shown: Shown<State>)] {
        (start..<(inOneTurn ? endOfTurn(at: start) : entries.endIndex)).compactMap { place in
            guard !entries[place].isAccountedFor, case .shown(let shown) = entries[place].kind else {
                return nil
            }
            return (place, shown)
        }
    }

    /// The state shown last; that at the end of the turn if `inOneTurn` is true.
    func state(atEndFrom start: Int, inOneTurn: Bool) -> State? {
        state(before: inOneTurn ? endOfTurn(at: start) : entries.endIndex)
    }

    /// Marks all states as accounted for.
    mutating func accountForStates() {
        for (place, _) in openStates() { entries[place].isAccountedFor = true }
    }

    /// Accounts for the present value of a part of the state in the entry in which the part took that value, and for
    /// nothing else.
    ///
    /// - Returns: The changed entry and its index; nil if none changes.
    func accounted<Part: Equatable>(
        for part: WritableKeyPath<State, Part>
    ) -> (place: Int, entry: Occurrence)? {
        var later: (place: Int, state: State)?
        for place in entries.indices.reversed() {
            guard case .shown(let shown) = entries[place].kind else { continue }
            if let later, !areAlike(later.state[keyPath: part], shown.state[keyPath: part]) { break }
            later = (place, shown.state)
        }
        guard let (place, state) = later, !entries[place].isAccountedFor,
            var asserted = stateToChange(at: place)
        else { return nil }
        asserted[keyPath: part] = state[keyPath: part]
        var entry = entries[place]
        entry.partiallyAsserted = asserted
        entry.isAccountedFor = areAlike(asserted, state)
        return (place, entry)
    }

    /// The changes of some states that were not asserted, as text.
    func changes(at places: [Int]) -> String {
        places.compactMap { place in
            guard case .shown(let now) = entries[place].kind else { return nil }
            return StateDiff(from: stateToChange(at: place) ?? now.state, to: now.state).indented
        }
        .joined(separator: "\n")
    }
}

extension StateDiff {
    /// An indented line per change; a note if the states are unequal but their descriptions are the same.
    package var indented: String {
        let text = description.isEmpty ? "(not equal, though they look the same)" : description
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
            .joined(separator: "\n")
    }
}
