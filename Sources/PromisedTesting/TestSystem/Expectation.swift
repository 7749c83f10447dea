import PromisedSystem

/// A state that a test expects, said by what changes another.
struct Expectation<State: Sendable & Equatable> {
    let changes: (inout State) -> Void
    /// Whether what the changes do not touch is compared as well.
    let comparesAll: Bool

    func applied(to state: State) -> State {
        var state = state
        changes(&state)
        return state
    }

    /// How a state differs from what was expected, a line for each change; nil if it does not.
    ///
    /// - Parameter before: The state that the changes are made to.
    func difference(of state: State, from before: State) -> String? {
        let expected = applied(to: before)
        if expected == state { return nil }
        let difference = StateDiff(from: expected, to: state)
        guard !comparesAll else { return difference.indented }
        // What the changes set is not as it was set, whichever of the two states they are made to; what they do not
        // touch is as it is when they are made to this one.
        let again = applied(to: state)
        if again == state { return nil }
        let touched = StateDiff(from: again, to: state)
        guard difference.isComplete, touched.isComplete, !difference.changes.isEmpty, !touched.changes.isEmpty
        else { return difference.indented }
        let places = touched.changes.map(\.placeOfChange)
        let wrong = difference.changes.filter { change in
            places.contains { $0.overlaps(change.placeOfChange) }
        }
        return wrong.isEmpty ? nil : wrong.map { "    \($0)" }.joined(separator: "\n")
    }
}

extension StateDiff.Change {
    /// What has changed: of something that came or went, the collection.
    fileprivate var placeOfChange: Substring {
        guard before == nil || after == nil, let bracket = path.lastIndex(of: "[") else { return path[...] }
        return path[..<bracket]
    }
}

extension Substring {
    /// Whether one path leads to the other, or to a part of it.
    fileprivate func overlaps(_ other: Substring) -> Bool {
        let (short, long) = count < other.count ? (self, other) : (other, self)
        guard long.hasPrefix(short) else { return false }
        let next = long.dropFirst(short.count).first
        return short.isEmpty || next == nil || next == "." || next == "["
    }
}
