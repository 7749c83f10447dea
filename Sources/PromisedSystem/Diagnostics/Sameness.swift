/// Whether two values are equal, or have the same floating-point numbers where `==` is not reflexive because of them: so
/// that a reaction that sets NaN settles.
@inlinable
package func areSame<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
    left == right || (left != left && right != right && haveSameBits(left, right))
}

/// The same for tests, which may take longer: also for NaN in an array, which is equal to itself without a look at it.
package func areAlike<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
    left == right || haveSameBits(left, right)
}

/// ``areSame(_:_:)`` for values that are `Equatable` by their dynamic types only.
@usableFromInline
package func areDynamicallySame<Value>(_ left: Value, _ right: Value) -> Bool {
    if areDynamicallyEqual(left, right) { return true }
    return left is any Equatable && !areDynamicallyEqual(left, left) && haveSameBits(left, right)
}

/// Whether all parts of two values are equal, or floating-point numbers of the same bits.
@usableFromInline
package func haveSameBits(_ left: Any, _ right: Any) -> Bool { likeness(left, right) != .different }

private enum Likeness { case equal, sameNumbers, different }

/// A value that is never equal, without a number that is the reason, is different.
private func likeness(_ left: Any, _ right: Any) -> Likeness {
    func isSameNumber<Value: BinaryFloatingPoint>(_ left: Value) -> Bool {
        guard let right = right as? Value, left.sign == right.sign else { return false }
        return left.exponentBitPattern == right.exponentBitPattern
            && left.significandBitPattern == right.significandBitPattern
    }
    if areDynamicallyEqual(left, right) { return .equal }
    if let left = left as? any BinaryFloatingPoint { return isSameNumber(left) ? .sameNumbers : .different }
    let (parts, others) = (Mirror(reflecting: left).children, Mirror(reflecting: right).children)
    guard !parts.isEmpty, parts.count == others.count else { return .different }
    var found: Likeness = left is any Equatable ? .different : .equal
    for (part, other) in zip(parts, others) {
        switch part.label == other.label ? likeness(part.value, other.value) : .different {
        case .equal: break
        case .sameNumbers: found = .sameNumbers
        case .different: return .different
        }
    }
    return found
}
