import Promise
package import PromisedTesting

/// The failures that `body` reports, word for word.
package func failures(_ body: () -> Void) -> [String] { TestReport.collect(body).map(\.message) }

/// The lines at which `body` reports failures.
package func failingLines(_ body: () -> Void) -> [Int] { TestReport.collect(body).map(\.line) }

/// The names of the laws that do not hold.
package func broken(
    _ laws: [Law], cases: Int = 200, leavingOut: [String: String] = [:]
) -> Set<String> {
    Set(
        failures { checkLaws(laws, cases: cases, leavingOut: leavingOut) }.map { text in
            text.split(separator: "\"").dropFirst().first.map(String.init) ?? text
        })
}
