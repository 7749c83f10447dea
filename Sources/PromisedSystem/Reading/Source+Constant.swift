extension Source {
    /// A value that never changes: for previews and tests.
    ///
    /// - Parameter value: Told once to each subscriber that asks for the present value.
    public static func constant(_ value: Value) -> Source { Source(wrappedValue: value) }

    /// A value that never changes, for a property that is declared with `@Source`.
    ///
    /// - Parameter wrappedValue: Told once to each subscriber that asks for the present value.
    public init(wrappedValue: Value) {
        self.init(read: { wrappedValue }) { replayCurrent, body, onEnd in
            if replayCurrent { body(wrappedValue) }
            onEnd()
            return SubscriptionToken(endsOnRelease: true) {}
        }
    }
}
