extension Duration {
    /// The clock reading `pause` after this one. Both durations are clamped to `Int64.max` seconds first, so that the
    /// sum does not overflow.
    package func later(by pause: Duration) -> Duration {
        min(self, .seconds(Int64.max)) + min(pause, .seconds(Int64.max))
    }
}
