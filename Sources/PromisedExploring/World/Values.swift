/// Closed lists of values for events and outcomes, the simplest first: of several counterexamples of the same length,
/// an exploration reports the first, and a random walk that violates a property is shrunk towards the beginning of the
/// list.
///
/// <!-- fence: run -->
/// ```swift
/// import PromisedExploring
/// import PromisedSystem
///
/// let explorer = Explorer<Int, Int>(events: Values.integers(in: -1_000...1_000)) { world in
///     world.always("less than 100") { $0 < 100 }
///     return System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 += $1 })
/// }
/// print(explorer.explore(walks: 10, length: 10).counterexample?.steps.last ?? .send(0))
/// ```
///
/// ```text output
/// .send(100)
/// ```
///
/// Other lists are made with `map`: `Values.strings(of: "ab", upTo: 2).map(Event.type)`.
public enum Values: Sendable {
    /// The integers of a range, by their distance from zero, or from the bound that is nearest to it: 0, 1, -1, 2, …
    public static func integers(in range: ClosedRange<Int>) -> [Int] {
        range.sorted { ($0.magnitude, $1) < ($1.magnitude, $0) }
    }

    /// The strings of some characters, by their length.
    ///
    /// - Parameters:
    ///   - characters: The characters, the simplest first.
    ///   - length: The maximum length. There are more than the number of characters to the power of it.
    public static func strings(of characters: String, upTo length: Int) -> [String] {
        var (all, last) = ([""], [""])
        for _ in 0..<max(length, 0) {
            last = last.flatMap { start in characters.map { start + [$0] } }
            all += last
        }
        return all
    }

    /// All pairs of two lists, those of simple values first.
    public static func pairs<First, Second>(_ first: [First], _ second: [Second]) -> [(First, Second)] {
        let places = first.indices.flatMap { one in second.indices.map { (one, $0) } }
        return places.sorted { ($0.0 + $0.1, $0.0) < ($1.0 + $1.1, $1.0) }.map { (first[$0.0], second[$0.1]) }
    }
}

extension Array {
    /// Outcomes with which a call is fulfilled, one for each value.
    ///
    /// For instance `world.call("roll", .values(1...6) + [.error(Lost())])`.
    public static func values<Value>(_ values: some Sequence<Value>) -> Self where Element == Outcome<Value> {
        values.map { .value($0) }
    }
}
