/// The occurrences that a test has to account for by its end.
///
/// ```swift
/// let all: Exhaustivity = .on
/// let some: Exhaustivity = [.states, .events]
/// print(all.isSuperset(of: some))
/// ```
public struct Exhaustivity: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates a set of options from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Every shown state has to be asserted, as a whole.
    ///
    /// Without this option, only the properties that a closure sets are compared, with any state of the event's turn.
    public static let states = Exhaustivity(rawValue: 1)
    /// Every event that was not sent by the test itself has to be received.
    public static let events = Exhaustivity(rawValue: 2)
    /// All work has to be finished: transitions, effects and queued events.
    public static let effects = Exhaustivity(rawValue: 4)
    /// Every failure of a transition or an effect has to be received.
    ///
    /// Without this option, failures are reported at the end of the test as they are outside of tests: to
    /// `PromiseDiagnostics`, unless an `onError` of the system received the error.
    public static let failures = Exhaustivity(rawValue: 8)

    /// All options: the default.
    public static let on: Exhaustivity = [.states, .events, .effects, .failures]
    /// No options: only what the test asserts or receives is compared.
    public static let off: Exhaustivity = []
}
