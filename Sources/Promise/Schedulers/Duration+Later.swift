extension Duration {
    /// What a clock shows that shows this now, when `pause` has passed. What is farther away than any clock goes is
    /// nearer then: a sum of two of these does not overflow.
    @usableFromInline
    package func later(by pause: Duration) -> Duration {
        min(self, .seconds(Int64.max)) + min(pause, .seconds(Int64.max))
    }
}
