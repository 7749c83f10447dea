import PromisedTesting

/// The failures that `body` reports, word for word.
func failures(_ body: () -> Void) -> [String] { TestReport.collect(body).map(\.message) }
