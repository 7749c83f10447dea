internal import Promise

/// A value that is computed when it is first read, and kept for all copies.
final class SharedValue<Value: Sendable>: Sendable {
    private let compute: @Sendable () -> Value
    private let kept = Lock<Value?>(nil)

    init(_ compute: @escaping @Sendable () -> Value) { self.compute = compute }

    /// Computed without the lock, as user code runs then: threads that read it at the same time may each compute it,
    /// and the first value is kept.
    var value: Value {
        if let value = kept.withLock({ $0 }) { return value }
        let computed = compute()
        return kept.withLock { value in
            if let value { return value }
            value = computed
            return computed
        }
    }
}
