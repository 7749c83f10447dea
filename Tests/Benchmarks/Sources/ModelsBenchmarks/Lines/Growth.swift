import PromisedModels
import Synchronization

// What must not cost more the more rows there are: each line with 10, 1,000 and 100,000.
extension Line {
    static let growth: [Line] =
        sized("c", "a row is found by its identity", 1_000_000, findRow, findByHand)
        + sized("k", "one of all rows, taken as a lazy collection", 1_000_000, pickRow, pickByHand)
        + sized("t", "a transaction that writes to one row", 200_000, writeInTransaction, writeByHand)
        + sized(
            "p", "a row writes while preferences of all are listened to", 1_000_000, writePreferring,
            rowByHand)
        + sized("u", "an element of an identified array is updated", 2_000, updateRow, updateByHand)

    private static func sized(
        _ id: String, _ what: String, _ operations: Int,
        _ ours: @escaping @Sendable (_ rows: Int, _ operations: Int) -> Sample,
        _ byHand: @escaping @Sendable (_ rows: Int, _ operations: Int) -> Sample
    ) -> [Line] {
        [(10, "10"), (1_000, "1,000"), (100_000, "100,000")].map { rows, text in
            Line(
                id: "\(id)\(rows)", what: "\(what), of \(text)", operations: operations,
                ours: Contender(name: "ours") { count in onSmallThread { ours(rows, count) } },
                peers: [Contender(name: "by hand") { count in onSmallThread { byHand(rows, count) } }],
                reach: id == "u" ? [] : [.nanoseconds(id == "t" ? 5_000 : 1_000)])
        }
    }

    static let chain = Line(
        id: "d", what: "a chain of 1,000 models is created and removed: a model", operations: 1_000,
        smallest: 1_000,
        ours: .onThread("ours") { count in
            let store = Store<Link>(initialState: chained(count), scheduler: .immediate)
            store.model.context.state.next = []
        }, reach: [.nanoseconds(10_000)], note: "On a thread with 512 KiB of stack.")
}

// MARK: Ours

private func findRow(_ rows: Int, _ operations: Int) -> Sample {
    let roster = table(rows: rows).model
    Sink.sum &+= roster.row(rows / 2)?.count ?? 0
    let stopwatch = Stopwatch(.thread)
    for index in 0..<operations { if roster.row(index % rows) != nil { Sink.sum &+= 1 } }
    return stopwatch.stop()
}

private func pickRow(_ rows: Int, _ operations: Int) -> Sample {
    let roster = table(rows: rows).model
    let stopwatch = Stopwatch(.thread)
    for index in 0..<operations {
        if roster.lazyRows[index % rows].context.isActive { Sink.sum &+= 1 }
    }
    return stopwatch.stop()
}

private func writeInTransaction(_ rows: Int, _ operations: Int) -> Sample {
    let roster = table(rows: rows).model
    let row = roster.lazyRows[rows / 2]
    let stopwatch = Stopwatch(.thread)
    for _ in 0..<operations { roster.transaction { row.increment() } }
    return stopwatch.stop()
}

private func writePreferring(_ rows: Int, _ operations: Int) -> Sample {
    let roster = table(rows: rows).model
    for row in roster.lazyRows { row.setPreference(Total.self, 1) }
    let row = roster.lazyRows[rows / 2]
    let values = roster.preferences(of: Total.self)
    let stopwatch = Stopwatch(.thread)
    for _ in 0..<operations { row.increment() }
    defer { withExtendedLifetime(values) {} }
    return stopwatch.stop()
}

private func updateRow(_ rows: Int, _ operations: Int) -> Sample {
    let leaves = (0..<rows).map { Leaf.State(id: $0) }
    let state = Store<Index>(initialState: .init(rows: .init(leaves)), scheduler: .immediate).model.context
        .state
    let stopwatch = Stopwatch(.thread)
    for index in 0..<operations { state.rows[id: index % rows]?.count += 1 }
    return stopwatch.stop()
}

// MARK: By hand

/// Rows as objects, with a table and a lock.
private final class Rows: Sendable {
    struct Content { var rows: [Leaf.State], places: [Int: Int] }
    let content: Mutex<Content>

    init(_ count: Int) {
        content = Mutex(
            Content(
                rows: (0..<count).map { Leaf.State(id: $0) },
                places: Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, $0) })))
    }
}

private func findByHand(_ count: Int, _ operations: Int) -> Sample {
    let rows = Rows(count)
    let stopwatch = Stopwatch(.thread)
    for index in 0..<operations {
        if rows.content.withLock({ $0.places[index % count] != nil }) { Sink.sum &+= 1 }
    }
    return stopwatch.stop()
}

private func pickByHand(_ count: Int, _ operations: Int) -> Sample {
    let rows = Rows(count)
    let stopwatch = Stopwatch(.thread)
    for index in 0..<operations {
        if rows.content.withLock({ $0.rows[index % count].count == 0 }) { Sink.sum &+= 1 }
    }
    return stopwatch.stop()
}

private func writeByHand(_ count: Int, _ operations: Int) -> Sample {
    let rows = Rows(count)
    let stopwatch = Stopwatch(.thread)
    for _ in 0..<operations {
        let before = rows.content.withLock { $0.rows[count / 2].count }
        rows.content.withLock { $0.rows[count / 2].count = before &+ 1 }
    }
    return stopwatch.stop()
}

private func rowByHand(_ count: Int, _ operations: Int) -> Sample {
    let rows = Rows(count)
    let stopwatch = Stopwatch(.thread)
    for _ in 0..<operations { rows.content.withLock { $0.rows[count / 2].count &+= 1 } }
    return stopwatch.stop()
}

/// The array is copied, as a reader may have the one before.
private func updateByHand(_ count: Int, _ operations: Int) -> Sample {
    let rows = Rows(count)
    let stopwatch = Stopwatch(.thread)
    for index in 0..<operations {
        var copy = rows.content.withLock { $0.rows }
        copy[index % count].count &+= 1
        rows.content.withLock { swap(&$0.rows, &copy) }
    }
    return stopwatch.stop()
}

// MARK: Models

private enum Total: PreferenceKey {
    static let defaultValue = 0
    static func reduce(_ value: inout Int, with next: Int) { value &+= next }
}

private struct Index: Model {
    struct State: Equatable { var rows: IdentifiedArray<Leaf.State> }
    let context: ModelContext<Index>
    static let children: [Child<Index>] = [.each(\.rows, Leaf.self)]
}

private struct Link: Model {
    struct State: Equatable, Identifiable {
        let id: Int
        var next: [State] = []
    }
    let context: ModelContext<Link>
    static let children: [Child<Link>] = [.each(\.next, Link.self)]
}

private func chained(_ count: Int) -> Link.State {
    (0..<count).reduce(Link.State(id: count)) { below, id in Link.State(id: id, next: [below]) }
}
