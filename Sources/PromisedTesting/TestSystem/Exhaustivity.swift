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

    /// Every state that is shown is asserted, as a whole. Left out, what a closure sets is compared, in any state of the
    /// event's turn, and the parts that it leaves alone are not.
    public static let states = Exhaustivity(rawValue: 1)
    /// Every event that something else than the test has sent is received.
    public static let events = Exhaustivity(rawValue: 2)
    /// Every piece of work is over.
    public static let effects = Exhaustivity(rawValue: 4)
    /// Every transition and every effect that fails is received. Left out, what has failed is reported at the end, as it
    /// is where there is no test: to `PromiseDiagnostics`, unless the system has an `onError`.
    public static let failures = Exhaustivity(rawValue: 8)

    /// All of it.
    public static let on: Exhaustivity = [.states, .events, .effects, .failures]
    /// Nothing: what the test asks for is compared, and nothing else.
    public static let off: Exhaustivity = []
}
