extension Duration {
    /// The clock reading `pause` after this one. Both durations are clamped to `Int64.max` seconds first, so that the
    /// sum does not overflow.
    package func later(by pause: Duration) -> Duration {
        min(self, .seconds(Int64.max)) + min(pause, .seconds(Int64.max))
    }

    /// Whole nanoseconds, clamped to 292 years.
    package var nanoseconds: Int {
        let (seconds, attoseconds) = components
        let (whole, isTooLong) = Int(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isOver) = whole.addingReportingOverflow(Int(attoseconds / 1_000_000_000))
        return isTooLong || isOver ? (seconds < 0 ? .min : .max) : sum
    }
}
