/// Why something could not be fetched. Failures are equal if their numbers and the texts of their errors are.
public struct FetchFailure: Sendable, Hashable {
    /// The error of the last attempt.
    public var error: any Error
    /// How often it has failed in a row.
    public var failedAttempts: Int

    /// Creates a failure.
    public init(_ error: any Error, failedAttempts: Int = 1) {
        (self.error, self.failedAttempts) = (error, failedAttempts)
    }

    /// The failure of one more attempt than before.
    func after(_ before: FetchFailure?) -> FetchFailure {
        FetchFailure(error, failedAttempts: (before?.failedAttempts ?? 0) + 1)
    }

    /// Compares the number of attempts and the texts of the errors.
    public static func == (left: FetchFailure, right: FetchFailure) -> Bool {
        left.failedAttempts == right.failedAttempts && "\(left.error)" == "\(right.error)"
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(failedAttempts)
        hasher.combine("\(error)")
    }
}
