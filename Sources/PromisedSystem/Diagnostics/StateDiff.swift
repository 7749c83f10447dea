/// What has changed between two values: a line for each leaf, with its path, and what it was and is.
///
/// ```swift
/// struct Cart { var items = ["lamp"], total = 12 }
///
/// print(StateDiff(from: Cart(), to: Cart(items: ["lamp", "mug"], total: 23)))
/// // items[1]: + "mug"
/// // total: 12 → 23
/// ```
///
/// Arrays are compared element by element between what they have in common at both ends, dictionaries by key, sets
/// by member, and enums by case, then by what the case carries. Two references to one object are equal; other
/// objects are told by their type. However large the values are, no more is looked at and told than the limits say.
public struct StateDiff: Sendable, CustomStringConvertible {
    /// One leaf that has changed.
    public struct Change: Sendable, Equatable, CustomStringConvertible {
        /// Where it is, as one would write it: `cart.items[1].name`; empty for the value itself.
        public let path: String
        /// What it was; nil where it was not there.
        public let before: String?
        /// What it is; nil where it is there no more.
        public let after: String?

        /// `path: before → after`, or with `+` or `-` what came or went.
        public var description: String {
            let change =
                switch (before, after) {
                case (nil, let after): "+ \(after ?? "")"
                case (let before?, nil): "- \(before)"
                case (let before?, let after?): "\(before) → \(after)"
                }
            return path.isEmpty ? change : "\(path): \(change)"
        }
    }

    /// How much is looked at and told.
    public struct Limits: Sendable, Hashable {
        /// So many changes are told.
        public var changes: Int
        /// So many values are looked at, on both sides together.
        public var values: Int
        /// Values are told in so many characters.
        public var characters: Int

        /// - Parameters:
        ///   - changes: So many changes are told.
        ///   - values: So many values are looked at.
        ///   - characters: Values are told in so many characters.
        public init(changes: Int = 100, values: Int = 100_000, characters: Int = 200) {
            (self.changes, self.values, self.characters) = (changes, values, characters)
        }
    }

    /// The changes, in the order in which the values declare their parts.
    public let changes: [Change]
    /// Whether all of both values was looked at, and every change is told.
    public let isComplete: Bool

    /// Compares two values.
    ///
    /// - Parameter limits: How much is looked at and told. The cost is linear in that, and in the size of the values
    ///   up to there; parts that are equal by their own `==` cost what that costs.
    public init<Value>(from before: Value, to after: Value, limits: Limits = Limits()) {
        var comparison = Comparison(limits)
        comparison.compare(before, after, at: "")
        (changes, isComplete) = (comparison.changes, comparison.isComplete)
    }

    /// A line for each change, and one more where some are left out.
    public var description: String {
        (changes.map(\.description) + (isComplete ? [] : ["…"])).joined(separator: "\n")
    }
}
