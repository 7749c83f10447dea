internal import Promise

/// The order of what comes from a set or a dictionary, whose own is another in every process: who came first goes first,
/// and those who come together go by what they print.
///
/// So the same events start the same work in the same order, whenever and wherever.
@usableFromInline
final class StableOrder<ID: Hashable & Sendable>: Sendable {
    @usableFromInline let order = Lock<[ID]>([])

    @inlinable
    init() {}

    /// - Parameter contains: Whether one that was there still is.
    @inlinable
    func update(_ ids: some Collection<ID>, contains: (ID) -> Bool) -> [ID] {
        let before = order.withLock { $0 }
        let kept = before.filter(contains)
        if kept.count == before.count, kept.count == ids.count { return before }
        if kept.isEmpty, ids.count == 1 {
            let now = Array(ids)
            order.exchange(for: now)
            return now
        }
        let known = Set(kept)
        let now = kept + ids.filter { !known.contains($0) }.inPrintedOrder { "\($0)" }
        order.exchange(for: now)
        return now
    }
}

extension Array {
    /// Sorted by what the elements print.
    @usableFromInline
    func inPrintedOrder(_ text: (Element) -> String) -> [Element] {
        guard count > 1 else { return self }
        return map { (text($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
