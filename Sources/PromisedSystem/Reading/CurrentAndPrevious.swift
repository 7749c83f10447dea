/// A source's value together with the one before its last change.
public struct CurrentAndPrevious<Value> {
    /// The present value.
    public let current: Value
    /// The value before the last change; nil before the first.
    public let previous: Value?

    /// - Parameters:
    ///   - current: The present value.
    ///   - previous: The value before the last change; nil if there was none.
    @inlinable
    public init(current: Value, previous: Value?) {
        self.current = current
        self.previous = previous
    }
}

extension CurrentAndPrevious: Sendable where Value: Sendable {}
extension CurrentAndPrevious: Equatable where Value: Equatable {}
extension CurrentAndPrevious: Hashable where Value: Hashable {}

extension Source {
    /// The value together with the one before it.
    ///
    /// The operator stores the pair and shares it: later subscribers receive the same pair. It subscribes to this
    /// source at once, and cancels that when the returned source and its subscriptions are released.
    @inlinable
    public func currentAndPrevious() -> Source<CurrentAndPrevious<Value>> {
        remembering(
            first: { CurrentAndPrevious(current: $0, previous: nil) },
            next: { CurrentAndPrevious(current: $1, previous: $0.current) })
    }
}
