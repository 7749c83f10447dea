import Foundation
import Promise
import PromisedSources
import PromisedTesting
import Synchronization

/// What keys cost, beside 10, 1,000 and 100,000 others.
extension Line {
    static let growth: [Line] = [10, 1_000, 100_000].flatMap { [keys($0), invalidation($0), cache($0)] }

    private static func keys(_ count: Int) -> Line {
        Line(
            id: "k\(count)", what: "a key of \(count) is observed, answered, left and discarded",
            operations: max(10_000, count),
            smallest: count,
            ours: .onThread("ours") { operations in
                for _ in 0..<operations / count { Sink.sum &+= Kept(count).end() }
            },
            peers: [
                .onThread("by hand") { operations in
                    for _ in 0..<operations / count {
                        let rows = ByHand()
                        for id in 0..<count { rows.observe(id) { _ in } }
                        Sink.sum &+= count
                    }
                }
            ], reach: [.nanoseconds(20_000)])
    }

    private static func invalidation(_ count: Int) -> Line {
        let kept = Mutex<Kept?>(nil)
        let byHand = ByHand()
        return Line(
            id: "i\(count)", what: "a key of \(count) is invalidated by its path, and fetched",
            operations: 10_000,
            ours: .onThread("ours") { operations in
                let kept = kept.withLock { kept in
                    if kept == nil { kept = Kept(count) }
                    return kept!
                }
                for _ in 0..<operations {
                    kept.fetches.invalidate(under: ["rows", "3"])
                    kept.scheduler.advance(by: .zero)
                }
            },
            peers: [
                .onThread("by hand") { operations in
                    if byHand.isEmpty { for id in 0..<count { byHand.observe(id) { _ in } } }
                    for _ in 0..<operations { byHand.invalidate(["rows", "3"]) }
                }
            ], reach: [.nanoseconds(100_000)])
    }

    private static func cache(_ count: Int) -> Line {
        let caches = Mutex<(cache: CachePersistence, next: Int)?>(nil)
        return Line(
            id: "c\(count)", what: "a key is added to a full cache of \(count)", operations: 10_000,
            ours: .onThread("ours") { operations in
                var (cache, next) = caches.withLock { $0 } ?? (full(count), count)
                for _ in 0..<operations {
                    cache.set(next, for: StorageKey<Int>("key \(next)"))
                    next += 1
                }
                caches.withLock { [cache, next] in $0 = (cache, next) }
            },
            peers: [
                .onThread("by hand") { operations in
                    let values = Mutex((values: [String: Int](), names: [String](), first: 0))
                    for number in 0..<count + operations {
                        values.withLock { content in
                            content.values["key \(number)"] = number
                            content.names.append("key \(number)")
                            if content.values.count > count {
                                content.values[content.names[content.first]] = nil
                                content.first += 1
                            }
                        }
                    }
                }
            ], reach: [.nanoseconds(50_000)])
    }

    private static func full(_ count: Int) -> CachePersistence {
        let cache = CachePersistence(
            CacheOptions(maximumCount: count), on: TestScheduler(), now: { Date.distantPast })
        for number in 0..<count { cache.set(number, for: StorageKey<Int>("key \(number)")) }
        return cache
    }
}

/// Keys that are observed, and answered.
private final class Kept: Sendable {
    let scheduler = TestScheduler()
    let fetches: Fetches<Int>
    let tokens: [SubscriptionToken]

    init(_ count: Int) {
        fetches = Fetches(from: 7, on: scheduler)
        tokens = (0..<count).map { [fetches, scheduler] id in
            let token = fetches.source(RowKey(id: id), freshFor: .seconds(60)).subscribe { _ in }
            scheduler.advance(by: .zero)
            return token
        }
    }

    /// Until all is discarded: what the scheduler still has to run would keep it.
    func end() -> Int {
        for (number, token) in tokens.enumerated() {
            token.cancel()
            // At several instants, as so many work items at one would look like an endless timer.
            if number % 1_000 == 0 { scheduler.advance(by: .milliseconds(1)) }
        }
        scheduler.advance(by: .seconds(301))
        return tokens.count
    }
}

private struct RowKey: FetchKey {
    let id: Int
    var path: [String] { ["rows", "\(id)"] }
    func fetch(from client: Int) -> Promise<Int> { .value(client) }
}

/// The same without the library: a lock, values, their observers, and an index of one kind of path.
private final class ByHand: Sendable {
    private struct Row: Sendable {
        var value: Int?
        var observers: [@Sendable (Int) -> Void] = []
    }

    private let rows = Mutex((rows: [Int: Row](), ids: [[String]: [Int]]()))

    var isEmpty: Bool { rows.withLock { $0.rows.isEmpty } }

    func observe(_ id: Int, _ body: @escaping @Sendable (Int) -> Void) {
        rows.withLock { content in
            content.rows[id, default: Row()].observers.append(body)
            content.ids[["rows", "\(id)"], default: []].append(id)
        }
        fetch(id)
    }

    func invalidate(_ path: [String]) {
        for id in rows.withLock({ $0.ids[path] ?? [] }) { fetch(id) }
    }

    private func fetch(_ id: Int) {
        let observers = rows.withLock { content in
            content.rows[id]?.value = 7
            return content.rows[id]?.observers ?? []
        }
        for observer in observers { observer(7) }
    }
}
