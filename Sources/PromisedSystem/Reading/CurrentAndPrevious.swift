/// A value, and the one before it.
public struct CurrentAndPrevious<Value> {
    /// The value now.
    public let current: Value
    /// The value before the last change; nil before the first.
    public let previous: Value?

    /// - Parameters:
    ///   - current: The value now.
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
    /// The memory belongs to the operator and begins here: whoever subscribes later gets the same pair. It listens
    /// from now on, until this source and its subscriptions have gone.
    @inlinable
    public func currentAndPrevious() -> Source<CurrentAndPrevious<Value>> {
        remembering(
            first: { CurrentAndPrevious(current: $0, previous: nil) },
            next: { CurrentAndPrevious(current: $1, previous: $0.current) })
    }
}
