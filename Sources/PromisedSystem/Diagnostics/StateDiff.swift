/// The differences between two values: one line for each leaf, with its path, the value before and the value after.
///
/// ```swift
/// struct Cart { var items = ["lamp"], total = 12 }
///
/// print(StateDiff(from: Cart(), to: Cart(items: ["lamp", "mug"], total: 23)))
/// // items[1]: + "mug"
/// // total: 12 → 23
/// ```
///
/// Arrays are compared element by element, apart from their common prefix and suffix; dictionaries by key, sets by
/// member, and enums by case, then by associated values. References are equal only if they are identical; different
/// objects are described by their types. Of long texts, the part is shown in which they differ. ``Limits`` bounds the
/// work and the output, however large the values are.
public struct StateDiff: Sendable, CustomStringConvertible {
    /// A leaf that was changed, inserted or removed.
    public struct Change: Sendable, Equatable, CustomStringConvertible {
        /// The path of the leaf in Swift notation, such as `cart.items[1].name`; empty for the value itself.
        public let path: String
        /// The description of the value before; nil if the leaf was inserted.
        public let before: String?
        /// The description of the value after; nil if the leaf was removed.
        public let after: String?

        /// `path: before → after`, `path: + inserted` or `path: - removed`.
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

    /// Bounds on the work and the output of a comparison.
    public struct Limits: Sendable, Hashable {
        /// The maximum number of changes listed.
        public var changes: Int
        /// The maximum number of pairs of values compared.
        public var values: Int
        /// The maximum number of characters of a value's description; longer ones are cut off with "…".
        public var characters: Int

        /// Creates limits.
        ///
        /// - Parameters:
        ///   - changes: The maximum number of changes listed.
        ///   - values: The maximum number of pairs of values compared.
        ///   - characters: The maximum number of characters of a value's description.
        public init(changes: Int = 100, values: Int = 100_000, characters: Int = 200) {
            (self.changes, self.values, self.characters) = (changes, values, characters)
        }
    }

    /// The changes, in the order in which the values declare their properties; keys and members in sorted order.
    public let changes: [Change]
    /// Whether the values were compared completely and every change is listed; false if a limit was reached.
    public let isComplete: Bool

    /// Compares two values.
    ///
    /// - Complexity: Linear in the number of values compared. Values that are `Equatable` are compared with `==` first,
    ///   at its cost, and skipped if equal.
    ///
    /// - Parameters:
    ///   - before: The older value.
    ///   - after: The newer value.
    ///   - limits: Bounds on the number of values compared and of changes listed.
    public init<Value>(from before: Value, to after: Value, limits: Limits = Limits()) {
        var comparison = Comparison(limits)
        comparison.compare(before, after, at: "")
        (changes, isComplete) = (comparison.changes, comparison.isComplete)
    }

    /// One line for each change, and a line "…" at the end if a limit was reached.
    public var description: String {
        (changes.map(\.description) + (isComplete ? [] : ["…"])).joined(separator: "\n")
    }
}
