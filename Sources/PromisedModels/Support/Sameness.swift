internal import PromisedSystem

/// Whether two values are equal, or have the same floating-point numbers where `==` is not reflexive: so that a reaction
/// that sets NaN settles.
@inlinable
func areSame<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
    left == right || (left != left && right != right && haveSameBits(left, right))
}

/// The same for values that are `Equatable` by their dynamic types only.
@usableFromInline
func areDynamicallySame<Value>(_ left: Value, _ right: Value) -> Bool {
    func isReflexive<Some: Equatable>(_ value: Some) -> Bool { value == value }
    if areDynamicallyEqual(left, right) { return true }
    guard let left = left as? any Equatable, !isReflexive(left) else { return false }
    return haveSameBits(left, right)
}

/// Whether all parts of two values are equal, or floating-point numbers of the same bits.
@usableFromInline
package func haveSameBits(_ left: Any, _ right: Any) -> Bool {
    func isEqual<Value: Equatable>(_ left: Value) -> Bool { right as? Value == left }
    func isSameNumber<Value: BinaryFloatingPoint>(_ left: Value) -> Bool {
        guard let right = right as? Value, left.sign == right.sign else { return false }
        return left.exponentBitPattern == right.exponentBitPattern
            && left.significandBitPattern == right.significandBitPattern
    }
    if let left = left as? any Equatable, isEqual(left) { return true }
    if let left = left as? any BinaryFloatingPoint { return isSameNumber(left) }
    let (parts, others) = (Mirror(reflecting: left).children, Mirror(reflecting: right).children)
    return !parts.isEmpty && parts.count == others.count
        && zip(parts, others).allSatisfy { $0.label == $1.label && haveSameBits($0.value, $1.value) }
}
