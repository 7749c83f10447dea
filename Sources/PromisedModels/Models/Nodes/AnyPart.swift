public import PromisedSystem

/// A property of a model's state that is observed.
@usableFromInline
class AnyPart: @unchecked Sendable {
    let path: PathPart
    /// The slot whose models are observed; nil if it is a value.
    let slot: Int?
    /// Its place in the state; nil if it is computed, so that any write may change it.
    private let bytes: Range<Int>?

    @usableFromInline
    init(_ path: PathPart, slot: Int?, _ bytes: Range<Int>?) {
        (self.path, self.slot, self.bytes) = (path, slot, bytes)
    }

    final func isTouched(by written: Range<Int>?) -> Bool {
        guard let bytes, let written else { return true }
        return bytes.overlaps(written)
    }

    var isObserved: Bool { false }
    /// Compares the present value with the last, and returns what notifies the observers of a change. Called with the
    /// gate.
    func capture() -> (@Sendable () -> Void)? { nil }
    func end() {}
    /// Removes it from its node.
    func forget() {}
}
