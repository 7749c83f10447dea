import Promise
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
