/// The errors that the library itself rejects a promise with, apart from `CancellationError`.
public enum PromiseError: Error, Sendable {
    /// The promise that was created here can no longer be settled: the last copy of its resolver or callback was
    /// released without settling it, the callback was called with neither a value nor an error, or a scheduler
    /// discarded the work.
    case abandoned(Origin)
    /// The promise did not settle within this time limit.
    case timedOut(Duration)
    /// Every member of `any` was rejected; with their errors, in the order of the members.
    case noneFulfilled([any Error])
    /// There is no source for a value: `race` or `any` had no members, or a sequence ended without an element.
    case empty
    /// The promise was resolved with itself, directly or through a chain, so that it could never settle.
    case resolvedWithItself
}

extension PromiseError: CustomStringConvertible {
    /// One sentence with the cause and, if known, the place.
    public var description: String {
        switch self {
        case .abandoned(let origin):
            "The promise made at \(origin) was abandoned: its resolver was released without settling it."
        case .timedOut(let limit):
            "The promise did not settle within \(limit)."
        case .noneFulfilled(let errors):
            "None of \(errors.count) promises was fulfilled: \(errors.map { "\($0)" }.joined(separator: "; "))."
        case .empty:
            "There was no promise or element to wait for."
        case .resolvedWithItself:
            "The promise was resolved with itself and could never have settled."
        }
    }
}
