import Observation
import PromisedModels

extension Line {
    static let write = writes("w", "state.x += 1 at depth 3, no observer, 20 models", leaves: 20)
    static let writeInLarge = writes("w2", "the same in a tree of 20,000 models", leaves: 20_000)

    private static func writes(_ id: String, _ what: String, leaves: Int) -> Line {
        Line(
            id: id, what: what, operations: 1_000_000,
            ours: .onThread("ours") { operations in
                let (store, leaf) = tree(leaves: leaves)
                for _ in 0..<operations { leaf.increment() }
                Sink.sum &+= leaf.count
                withExtendedLifetime(store) {}
            }, reach: [.nanoseconds(150), .allocations(0)])
    }

    static let observed = Line(
        id: "o", what: "the same with one observer of the property", operations: 1_000_000,
        ours: .onThread("ours") { operations in
            let (store, leaf) = tree(leaves: 20)
            let token = leaf.source(of: \.count).subscribe { Sink.sum &+= $0 }
            for _ in 0..<operations { leaf.increment() }
            token.cancel()
            withExtendedLifetime(store) {}
        }, reach: [.nanoseconds(700)])

    static let tracked = Line(
        id: "v", what: "a tracked read and a write, the cycle of a view", operations: 200_000,
        ours: .onThread("ours") { operations in
            let (store, leaf) = tree(leaves: 20)
            for _ in 0..<operations {
                withObservationTracking {
                    Sink.sum &+= leaf.count
                } onChange: {
                    Sink.sum &+= 1
                }
                leaf.increment()
            }
            withExtendedLifetime(store) {}
        },
        peers: [
            .onThread("@Observable") { operations in
                let counter = ObservedCounter()
                for _ in 0..<operations {
                    withObservationTracking {
                        Sink.sum &+= counter.count
                    } onChange: {
                        Sink.sum &+= 1
                    }
                    counter.count += 1
                }
            }
        ], reach: [.nanoseconds(3_000)])

    static let read = reads("r", "a property is read at depth 3, 20 models", leaves: 20)
    static let readInLarge = reads("r2", "the same in a tree of 20,000 models", leaves: 20_000)

    private static func reads(_ id: String, _ what: String, leaves: Int) -> Line {
        Line(
            id: id, what: what, operations: 1_000_000,
            ours: .onThread("ours") { operations in
                let (store, leaf) = tree(leaves: leaves)
                for _ in 0..<operations { Sink.sum &+= leaf.count }
                withExtendedLifetime(store) {}
            }, reach: [.nanoseconds(150), .allocations(0)])
    }

    static let row = Line(
        id: "l", what: "one row of a list of 10,000 writes", operations: 1_000_000,
        ours: .onThread("ours") { operations in
            let store = table(rows: 10_000)
            let row = store.model.rows[5_000]
            for _ in 0..<operations { row.increment() }
            withExtendedLifetime(store) {}
        }, reach: [.nanoseconds(300)])

    static let insert = Line(
        id: "i", what: "a row is inserted in the middle of 10,000", operations: 200,
        ours: .onThread("ours") { operations in
            let store = table(rows: 10_000)
            for index in 0..<operations { store.model.insert(100_000 + index) }
        }, reach: [.nanoseconds(500_000)])
}

@Observable
private final class ObservedCounter { var count = 0 }
