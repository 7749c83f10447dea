import Promise
import PromisedTesting
import Testing

/// What is reported while something is done, word for word.
func failures(_ body: () -> Void) -> [String] {
    let messages = Lock<[String]>([])
    withKnownIssue(isIntermittent: true) {
        body()
    } matching: { issue in
        messages.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
        return true
    }
    return messages.withLock { $0 }
}

/// The lines at which something is reported.
func failingLines(_ body: () -> Void) -> [Int?] {
    let lines = Lock<[Int?]>([])
    withKnownIssue {
        body()
    } matching: { issue in
        lines.withLock { $0.append(issue.sourceLocation?.line) }
        return true
    }
    return lines.withLock { $0 }
}

/// The names of the laws that do not hold.
func broken(
    _ laws: [Law], cases: Int = 200, leavingOut: [String: String] = [:]
) -> Set<String> {
    Set(
        failures { checkLaws(laws, cases: cases, leavingOut: leavingOut) }.map { text in
            text.split(separator: "\"").dropFirst().first.map(String.init) ?? text
        })
}
