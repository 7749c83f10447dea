/// How far a fetch is.
public struct FetchProgress: Sendable, Hashable {
    /// The units that are done, such as bytes.
    public var completed: Int
    /// All units; nil if their number is not known.
    public var total: Int?
    /// How long the rest will take, if that is known.
    public var remaining: Duration?

    /// Creates a progress.
    public init(completed: Int, total: Int? = nil, remaining: Duration? = nil) {
        (self.completed, self.total, self.remaining) = (completed, total, remaining)
    }

    /// The part that is done, from 0 to 1; nil if the total is not known.
    public var fraction: Double? {
        guard let total else { return nil }
        return total <= 0 ? 1 : min(max(Double(completed) / Double(total), 0), 1)
    }
}
