public import Promise

/// A deterministic order for the elements of a set or dictionary, whose own order differs between processes: earlier
/// elements come first, and elements added together are sorted by description.
///
/// The same events thus start the same work in the same order in every process.
@usableFromInline
final class StableOrder<ID: Hashable & Sendable>: Sendable {
    @usableFromInline let order = Lock<[ID]>([])

    @inlinable
    init() {}

    /// - Parameter contains: Whether an element of the last update is still present.
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
    /// The elements sorted by description.
    @usableFromInline
    func inPrintedOrder(_ text: (Element) -> String) -> [Element] {
        guard count > 1 else { return self }
        return map { (text($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
