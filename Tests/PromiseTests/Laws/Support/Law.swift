import TestSupport
import Testing

/// A counterexample to a law: the case and its results.
struct Violation {
    let text: String

    init(_ expression: some Any, _ results: (String, any Any)...) {
        text = (["\(expression)"] + results.map { "\($0.0): \($0.1)" }).joined(separator: "\n  ")
    }

    /// nil if both are equal.
    static func unless<Value: Equatable>(
        _ left: Value, _ right: Value, _ expression: @autoclosure () -> String,
        _ names: (String, String) = ("left ", "right")
    ) -> Violation? {
        left == right ? nil : Violation(expression(), (names.0, left), (names.1, right))
    }
}

/// Checks a law on random cases; reports the first counterexample with its seed, in readable form.
///
/// - Parameters:
///   - base: The seed of the first case; the following cases have the following seeds.
///   - longest: See ``RandomExpressions``.
///   - cases: The number of cases.
///   - violation: Makes a case and checks it; nil if the law holds.
func law(
    seed base: UInt64, longest: Int = 4, cases: Int = rounds(100, stress: 1_000),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ violation: (inout RandomExpressions) -> Violation?
) {
    // Some cases have unhandled errors.
    Reports.begin()
    for index in 0..<UInt64(cases) {
        var random = RandomExpressions(seed: base &+ index, longest: longest)
        guard let violation = violation(&random) else { continue }
        Issue.record("seed \(base &+ index): \(violation.text)", sourceLocation: sourceLocation)
        return
    }
}

/// So long that no two steps of an expression are due at the same instant, except those at the start.
let neverTogether = 1_000_000_000
