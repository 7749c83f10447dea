import Promise
import PromisedTesting

/// What is reported while something is done, word for word.
func failures(_ body: () -> Void) -> [String] { TestReport.collect(body).map(\.message) }

/// The lines at which something is reported.
func failingLines(_ body: () -> Void) -> [Int] { TestReport.collect(body).map(\.line) }

/// The names of the laws that do not hold.
func broken(
    _ laws: [Law], cases: Int = 200, leavingOut: [String: String] = [:]
) -> Set<String> {
    Set(
        failures { checkLaws(laws, cases: cases, leavingOut: leavingOut) }.map { text in
            text.split(separator: "\"").dropFirst().first.map(String.init) ?? text
        })
}
