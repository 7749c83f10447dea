import PromisedSystem

/// An expected state, given as changes to another state.
struct Expectation<State: Sendable & Equatable> {
    let changes: (inout State) -> Void
    /// Whether properties that the changes do not set are compared as well.
    let comparesAll: Bool

    func applied(to state: State) -> State {
        var state = state
        changes(&state)
        return state
    }

    /// The difference between a state and the expected one, a line per change; nil if there is none.
    ///
    /// - Parameter before: The state that the changes are applied to.
    func difference(of state: State, from before: State) -> String? {
        let expected = applied(to: before)
        if areAlike(expected, state) { return nil }
        let difference = StateDiff(from: expected, to: state)
        guard !comparesAll else { return difference.indented }
        // A wrong value of a property that the changes set appears in both diffs. Applied to `state` itself, the
        // changes leave all else as it is, so that diff contains only paths that they set.
        let again = applied(to: state)
        if areAlike(again, state) { return nil }
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
    /// The path of the change; for an element that was inserted or removed, that of the collection.
    fileprivate var placeOfChange: Substring {
        guard before == nil || after == nil, let bracket = path.lastIndex(of: "[") else { return path[...] }
        return path[..<bracket]
    }
}

extension Substring {
    /// Whether the paths are equal, or one is a prefix of the other.
    fileprivate func overlaps(_ other: Substring) -> Bool {
        let (short, long) = count < other.count ? (self, other) : (other, self)
        guard long.hasPrefix(short) else { return false }
        let next = long.dropFirst(short.count).first
        return short.isEmpty || next == nil || next == "." || next == "["
    }
}
