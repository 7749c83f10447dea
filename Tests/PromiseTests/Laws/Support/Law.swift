import TestSupport
import Testing

/// Why a law does not hold: what was tried, and what came of it.
struct Violation {
    let text: String

    init(_ expression: some Any, _ results: (String, any Any)...) {
        text = (["\(expression)"] + results.map { "\($0.0): \($0.1)" }).joined(separator: "\n  ")
    }

    /// nil when both are the same.
    static func unless<Value: Equatable>(
        _ left: Value, _ right: Value, _ expression: @autoclosure () -> String,
        _ names: (String, String) = ("left ", "right")
    ) -> Violation? {
        left == right ? nil : Violation(expression(), (names.0, left), (names.1, right))
    }
}

/// Tries a law on random cases; the first one that breaks it is reported by its seed and in readable form.
///
/// - Parameters:
///   - base: The seed of the first case; the others follow it one by one.
///   - longest: See ``RandomExpressions``.
///   - violation: Makes a case and tries it.
func law(
    seed base: UInt64, longest: Int = 4, sourceLocation: SourceLocation = #_sourceLocation,
    _ violation: (inout RandomExpressions) -> Violation?
) {
    // Some of what is tried fails where nobody looks.
    Reports.begin()
    for index in 0..<UInt64(rounds(1_000)) {
        var random = RandomExpressions(seed: base &+ index, longest: longest)
        guard let violation = violation(&random) else { continue }
        Issue.record("seed \(base &+ index): \(violation.text)", sourceLocation: sourceLocation)
        return
    }
}

/// So long that no two steps of an expression fall due at the same instant, but those at the very start.
let neverTogether = 1_000_000_000
