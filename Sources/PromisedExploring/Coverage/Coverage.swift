/// The covered and the missing parts of a system after an exploration.
///
/// <!-- fence: run -->
/// ```swift
/// import PromisedExploring
/// import PromisedSystem
///
/// enum Light: Hashable, CaseIterable { case green, red, broken }
///
/// let explorer = Explorer<Light, String>(events: ["next", "nothing"]) { world in
///     System(initialState: .red, scheduler: world.scheduler, reducer: Reducer { light, event in
///         if event == "next" { light = light == .red ? .green : .red }
///     })
/// }
/// for item in explorer.check(depth: 5).coverage.missing { print(item) }
/// ```
///
/// ```text output
/// state broken: unreachable
/// event "nothing": unreachable
/// ```
public struct Coverage: Sendable, Hashable {
    /// The kind of an item.
    public enum Kind: String, Sendable, Hashable {
        /// A case of the state's enum.
        case state
        /// An event that changed the state or started work; one that did not is not covered.
        case event
        /// Two cases of the state's enum, of which the second was shown after the first.
        case transition
        /// An outcome of a call that was made. The outcomes of calls with one name and as many outcomes count by their
        /// place, under the names that they have in the first of these calls.
        case outcome
        /// A feedback that started work, by the place in the source where it was created.
        case feedback
    }

    /// Whether an item is covered.
    public enum Status: String, Sendable, Hashable {
        /// It happened on a path.
        case covered
        /// It did not happen, and the exploration was not complete.
        case notCovered = "not covered"
        /// It did not happen, and the exploration was complete.
        case unreachable
    }

    /// Something that may happen in an exploration.
    public struct Item: Sendable, Hashable, CustomStringConvertible {
        /// Its kind.
        public let kind: Kind
        /// Its name, unique within its kind: `"disk → full"` is an outcome, `"idle → saving"` a transition.
        public let name: String
        /// Whether it is covered.
        public let status: Status

        /// The kind, the name and the status.
        public var description: String { "\(kind.rawValue) \(name): \(status.rawValue)" }
    }

    /// The items by kind, each kind in the order in which it was declared or found.
    public let items: [Item]

    /// The items that are not covered.
    public var missing: [Item] { items.filter { $0.status != .covered } }
}

extension Coverage {
    /// Adds up names, the first time with whether they are covered.
    struct Builder {
        /// The status of what did not happen.
        let otherwise: Status
        private(set) var items: [Item] = []

        init(isComplete: Bool) { otherwise = isComplete ? .unreachable : .notCovered }

        mutating func add(_ kind: Kind, _ name: String, _ isCovered: Bool) {
            let item = Item(kind: kind, name: name, status: isCovered ? .covered : otherwise)
            if !items.contains(where: { $0.kind == kind && $0.name == name }) { items.append(item) }
        }
    }
}
