/// What of a tested system has to be accounted for by the end of a test.
///
/// ```swift
/// let all: Exhaustivity = .on
/// let some: Exhaustivity = [.states, .events]
/// print(all.isSuperset(of: some))
/// ```
public struct Exhaustivity: OptionSet, Sendable {
    /// Which of them, a bit for each.
    public let rawValue: Int

    /// The options of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Every state that is shown is asserted.
    public static let states = Exhaustivity(rawValue: 1)
    /// Every event that something else than the test has sent is received.
    public static let events = Exhaustivity(rawValue: 2)
    /// Every piece of work is over.
    public static let effects = Exhaustivity(rawValue: 4)

    /// All of it.
    public static let on: Exhaustivity = [.states, .events, .effects]
    /// Nothing: what the test asks for is looked at, and nothing else.
    public static let off: Exhaustivity = []
}
