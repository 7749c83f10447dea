public import Promise

extension Source {
    /// The same value, whose subscribers are not told again what they were told last.
    ///
    /// Each subscription compares for itself, beginning with the value that was there when it began; the
    /// owner goes on showing equal values to everyone else.
    ///
    /// - Parameter areEqual: Compares the value told last with the next.
    @inlinable
    public func removeDuplicates(by areEqual: @escaping @Sendable (Value, Value) -> Bool) -> Source {
        Source(identity: SourceIdentity(identity.scheduler), read: read) {
            [attach] replayCurrent, body, onEnd in
            let last = Lock<Value?>(nil)
            // The present value is always asked for, to compare with, and passed on only if it is wanted.
            return attach(
                true,
                { value in
                    let told = last.withLock { $0 }
                    if let told, areEqual(told, value) { return }
                    // The old value leaves with the result: its end must not come under the lock.
                    _ = last.withLock { last in
                        defer { last = value }
                        return last
                    }
                    if told != nil || replayCurrent { body(value) }
                }, onEnd)
        }
    }
}

extension Source where Value: Equatable {
    /// The same value, whose subscribers are not told again what they were told last.
    @inlinable
    public func removeDuplicates() -> Source { removeDuplicates(by: ==) }
}
