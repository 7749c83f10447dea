public import Promise

/// How many shown states a system keeps in its ``System/history``.
public enum HistoryLimit: Sendable, Hashable {
    /// Keeps no states. Only then can a reducer change a large state in place without copying it.
    case none
    /// Keeps the given number of latest states; none if it is 0 or negative.
    case last(Int)
    /// Keeps all states; memory grows with every shown state.
    case unlimited

    var count: Int {
        switch self {
        case .none: 0
        case .last(let count): Swift.max(count, 0)
        case .unlimited: .max
        }
    }
}

/// A collection of the states that a system has shown, oldest first: initial, loading and settled ones.
///
/// It is a snapshot, and cheap to copy: copies share their storage in chunks, and later states of the system don't
/// change it. On average, appending a state copies a few dozen references, and about one more for every 4,000 states
/// kept.
public struct History<State: Sendable>: RandomAccessCollection, Sendable {
    // Full chunks are immutable and shared by all copies; only `tail` grows. Contents of boxes, as their type does not
    // depend on that of the state, so nothing is looked up when a state is appended.
    private static var chunkSize: Int { 64 }

    private var chunks: [[BoxContent]] = []
    private var tail: [BoxContent] = []
    /// How many states at the start of the first chunk are removed already.
    private var skipped = 0
    private let limit: Int

    package init(_ limit: HistoryLimit) { self.limit = limit.count }

    /// The index of the oldest state; always 0.
    public var startIndex: Int { 0 }

    /// The number of states kept, at most what the ``HistoryLimit`` allows.
    public var endIndex: Int { chunks.count * Self.chunkSize + tail.count - skipped }

    /// The state at `position`, where 0 is the oldest. Traps if the index is out of range. Takes constant time.
    public subscript(position: Int) -> State {
        precondition(indices.contains(position), "History has no state at \(position)")
        let place = position + skipped
        let chunk = place / Self.chunkSize
        let content =
            chunk < chunks.count
            ? chunks[chunk][place % Self.chunkSize] : tail[place - chunks.count * Self.chunkSize]
        return ValueBox(content: content).value
    }

    /// - Returns: The states that were removed. A deinitialiser of theirs may call back, so the caller must release
    ///   them outside its lock.
    @discardableResult @usableFromInline
    mutating func append(_ state: ValueBox<State>) -> [BoxContent] {
        guard limit > 0 else { return [] }
        tail.append(state.content)
        if tail.count == Self.chunkSize {
            chunks.append(tail)
            tail = []
        }
        return endIndex > limit ? removeOldest() : []
    }

    /// The same.
    package mutating func append(_ state: State) -> [BoxContent] { append(ValueBox(state)) }

    private mutating func removeOldest() -> [BoxContent] {
        guard !chunks.isEmpty else { return [tail.removeFirst()] }
        skipped += 1
        guard skipped == Self.chunkSize else { return [] }
        skipped = 0
        return chunks.removeFirst()
    }
}
