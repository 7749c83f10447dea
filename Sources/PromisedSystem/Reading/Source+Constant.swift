extension Source {
    /// Creates a source whose value never changes, for previews and tests.
    ///
    /// - Parameter value: Delivered once to each subscriber that requests the present value; then the source ends.
    public static func constant(_ value: Value) -> Source { Source(wrappedValue: value) }

    /// Creates a source whose value never changes, for a property that is declared with `@Source`.
    ///
    /// - Parameter wrappedValue: Delivered once to each subscriber that requests the present value; then the source
    ///   ends.
    public init(wrappedValue: Value) {
        self.init(read: { wrappedValue }) { replayCurrent, body, onEnd in
            if replayCurrent { body(wrappedValue) }
            onEnd()
            return SubscriptionToken(endsOnRelease: true) {}
        }
    }
}
