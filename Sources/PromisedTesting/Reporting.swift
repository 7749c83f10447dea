internal import Testing

/// Makes the running test fail at the caller's line. Outside a test the process ends: a failure is never silent.
func fail(_ message: String, _ location: SourceLocation) {
    guard Test.current != nil else { fatalError("\(location): \(message)") }
    Issue.record(Comment(rawValue: message), sourceLocation: location)
}
