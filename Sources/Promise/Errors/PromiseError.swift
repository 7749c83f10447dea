/// What can go wrong with a promise itself, apart from the errors of the work.
public enum PromiseError: Error, Sendable {
    /// The last copy of the resolver, or of the callback, went away without having settled the promise, which
    /// was made here; or the callback came with neither a value nor an error.
    case abandoned(Origin)
    /// The time limit ran out.
    case timedOut(Duration)
    /// Every member of `any` was rejected; their errors in the order of the members.
    case noneFulfilled([any Error])
    /// There was nothing to wait for: `race` or `any` of no promise, or the first element of a sequence that
    /// has none.
    case empty
    /// A promise was told to follow itself, so that it could never settle.
    case resolvedWithItself
}

extension PromiseError: CustomStringConvertible {
    /// One sentence that says what happened and, where it is known, where.
    public var description: String {
        switch self {
        case .abandoned(let origin):
            "The promise made at \(origin) was abandoned: its resolver went away without settling it."
        case .timedOut(let limit):
            "The promise did not settle within \(limit)."
        case .noneFulfilled(let errors):
            "None of \(errors.count) promises was fulfilled: \(errors.map { "\($0)" }.joined(separator: "; "))."
        case .empty:
            "There was nothing to wait for."
        case .resolvedWithItself:
            "The promise was told to follow itself and would never have settled."
        }
    }
}
