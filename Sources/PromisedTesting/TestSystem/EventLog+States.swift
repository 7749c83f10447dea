import Promise
import PromisedSystem

// What was shown. Each state is looked at together with the one before it: the difference is what there is to assert.
extension EventLog {
    /// The latest state that was shown; nil before the first.
    var latest: State? { state(before: entries.endIndex) }

    /// Where that is.
    var placeOfLatest: Int? {
        entries.indices.last { if case .shown = entries[$0].kind { true } else { false } }
    }

    /// The state that was shown last before a place; nil if none was.
    func state(before place: Int, ifAccountedFor: Bool = false) -> State? {
        for entry in entries[..<place].reversed() where !ifAccountedFor || entry.isAccountedFor {
            if case .shown(let shown) = entry.kind { return shown.state }
        }
        return nil
    }

    /// What a state is compared with: the one before it, with what of this one was asserted by its parts.
    func stateToChange(at place: Int) -> State? { entries[place].assertedSoFar ?? state(before: place) }

    /// Where the turn of an event ends.
    private func endOfTurn(at place: Int) -> Int {
        entries.indices.dropFirst(place + 1).first { next in
            if case .event = entries[next].kind { true } else { false }
        } ?? entries.endIndex
    }

    /// The states that are not accounted for, at or behind a place, and in the same turn if asked for.
    func openStates(from start: Int = 0, inOneTurn: Bool = false) -> [(place: Int, shown: Shown<State>)] {
        (start..<(inOneTurn ? endOfTurn(at: start) : entries.endIndex)).compactMap { place in
            guard !entries[place].isAccountedFor, case .shown(let shown) = entries[place].kind else {
                return nil
            }
            return (place, shown)
        }
    }

    /// The state that is shown at the end, of a turn if asked for.
    func state(atEndFrom start: Int, inOneTurn: Bool) -> State? {
        state(before: inOneTurn ? endOfTurn(at: start) : entries.endIndex)
    }

    mutating func accountForStates() {
        for (place, _) in openStates() { entries[place].isAccountedFor = true }
    }

    /// Accounts for what a part of the state is now: where it became that, and for nothing else.
    ///
    /// - Returns: The entry that is another then; nil if none is.
    func accounted<Part: Equatable>(
        for part: WritableKeyPath<State, Part>
    ) -> (place: Int, entry: Entry)? {
        var later: (place: Int, state: State)?
        for place in entries.indices.reversed() {
            guard case .shown(let shown) = entries[place].kind else { continue }
            if let later, later.state[keyPath: part] != shown.state[keyPath: part] { break }
            later = (place, shown.state)
        }
        guard let (place, state) = later, !entries[place].isAccountedFor,
            var asserted = stateToChange(at: place)
        else { return nil }
        asserted[keyPath: part] = state[keyPath: part]
        var entry = entries[place]
        entry.assertedSoFar = asserted
        entry.isAccountedFor = asserted == state
        return (place, entry)
    }

    /// What changed with some states and is not asserted.
    func changes(at places: [Int]) -> String {
        places.compactMap { place in
            guard case .shown(let now) = entries[place].kind else { return nil }
            return StateDiff(from: stateToChange(at: place) ?? now.state, to: now.state).indented
        }
        .joined(separator: "\n")
    }
}

extension StateDiff {
    /// A line for each change; that there is one where it cannot be seen by looking.
    var indented: String {
        let text = description.isEmpty ? "(not equal, though they look the same)" : description
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
            .joined(separator: "\n")
    }
}
