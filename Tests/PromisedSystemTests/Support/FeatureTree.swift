import PromisedSystem
import TestSupport

/// A random tree of features of three levels: of a leaf, of the storey that contains leaves, and of the whole.
struct FeatureTree: Sendable {
    typealias Flat = Storey<Leaf>
    typealias House = Storey<Flat>

    /// Which parts of the whole have a feature, and which parts of those.
    let outer: Set<Form.Family>
    let inner: Set<Form.Family>

    /// - Parameter breadth: How many kinds of parts have a feature, at each level.
    init(_ random: inout SeededGenerator, breadth: ClosedRange<Int>) {
        func some() -> Set<Form.Family> {
            let count = Int.random(in: breadth, using: &random)
            return Set(Form.Family.allCases.shuffled(using: &random).prefix(count))
        }
        (outer, inner) = (some(), some())
    }

    /// The tree's feature, as a program would write it.
    func feature(feedbacks: [Feedback<Leaf, Signal>] = []) -> Feature<House, House.Event> {
        let board = Scope<Leaf, Signal, Board, Signal>(state: \.board, event: .identity())
        let leaf = Feature(reducer: Board.reducer.lifted(by: board), feedbacks: feedbacks)
        return storey(of: storey(of: leaf, in: inner), in: outer)
    }

    private func storey<Inner: Level>(
        of feature: Feature<Inner, Inner.Event>, in families: Set<Form.Family>
    ) -> Feature<Storey<Inner>, StoreyEvent<Inner>> {
        let editing = Reducer<Storey<Inner>, StoreyEvent<Inner>> { storey, event in
            if case .edit = event { storey.apply(event) { _, _ in } }
        }
        let parts = Form.Family.allCases.filter { families.contains($0) }
        return Feature(reducer: editing) <> .combined(parts.map { Storey.lift(feature, toAll: $0) })
    }

    // MARK: The model

    /// What an event makes of a whole, computed without the library.
    func apply(_ event: House.Event, to house: inout House) {
        if isMeant(event) { house.apply(event) { $0.board.apply($1) } }
    }

    /// Whether a feature handles the event.
    private func isMeant(_ event: House.Event) -> Bool {
        guard case .inner(let form, let event) = event else { return true }
        guard case .inner(let second, _) = event else { return outer.contains(form.family) }
        return outer.contains(form.family) && inner.contains(second.family)
    }

    /// The leaf that an event is for, and what happens to it.
    func leafEvent(_ event: House.Event) -> (path: [Form], signal: Signal)? {
        guard isMeant(event), case .inner(let first, .inner(let second, let signal)) = event else {
            return nil
        }
        return ([first, second], signal)
    }

    /// All leaves that have a feature, with the scopes that lead to them.
    func leaves(_ house: House) -> [[Form]: Leaf] {
        var leaves: [[Form]: Leaf] = [:]
        for first in house.forms where outer.contains(first.family) {
            guard let flat = house.part(first) else { continue }
            for second in flat.forms where inner.contains(second.family) {
                leaves[[first, second]] = flat.part(second)
            }
        }
        return leaves
    }
}

extension Board {
    fileprivate mutating func apply(_ signal: Signal) {
        switch signal {
        case .set(let number): value = number
        case .flag(let isOn): flag = isOn
        case .note(let text): notes.append(text)
        }
    }
}
