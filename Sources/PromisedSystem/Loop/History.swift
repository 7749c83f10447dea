public import Promise

/// How many shown states a system remembers.
public enum HistoryLimit: Sendable, Hashable {
    /// None: large states are then never kept, nor copied when they change.
    case none
    /// The latest ones, so many.
    case last(Int)
    /// All of them; memory grows with every state.
    case unlimited

    var count: Int {
        switch self {
        case .none: 0
        case .last(let count): Swift.max(count, 0)
        case .unlimited: .max
        }
    }
}

/// The states that were shown, oldest first: initial, loading and settled ones.
///
/// It is a value that is cheap to hand out: the system goes on with its own, and what both have in common is
/// kept once. Adding a state copies a few dozen at most, on average, however long the history is.
public struct History<State: Sendable>: RandomAccessCollection, Sendable {
    // Full chunks are never changed again and so shared by every copy; only the last one grows.
    private static var chunkSize: Int { 64 }

    private var chunks: [[ValueBox<State>]] = []
    private var tail: [ValueBox<State>] = []
    /// How many at the start of the first chunk are forgotten.
    private var skipped = 0
    private let limit: Int

    init(_ limit: HistoryLimit) { self.limit = limit.count }

    /// 0, the place of the oldest remembered state.
    public var startIndex: Int { 0 }

    /// The number of remembered states.
    public var endIndex: Int { chunks.count * Self.chunkSize + tail.count - skipped }

    /// The state at `position`, 0 being the oldest; in constant time.
    public subscript(position: Int) -> State {
        precondition(indices.contains(position), "History has no state at \(position)")
        let place = position + skipped
        let chunk = place / Self.chunkSize
        let box =
            chunk < chunks.count
            ? chunks[chunk][place % Self.chunkSize] : tail[place - chunks.count * Self.chunkSize]
        return box.value
    }

    /// - Returns: What is kept no longer: its end may call back, so it must not come under a lock.
    @discardableResult @usableFromInline
    mutating func append(_ state: ValueBox<State>) -> [ValueBox<State>] {
        guard limit > 0 else { return [] }
        tail.append(state)
        if tail.count == Self.chunkSize {
            chunks.append(tail)
            tail = []
        }
        return count > limit ? forgetFirst() : []
    }

    private mutating func forgetFirst() -> [ValueBox<State>] {
        guard !chunks.isEmpty else { return [tail.removeFirst()] }
        skipped += 1
        guard skipped == Self.chunkSize else { return [] }
        skipped = 0
        return chunks.removeFirst()
    }
}
