import Promise
import PromisedSources
import PromisedTesting
import Synchronization

extension Line {
    static let fresh = Line(
        id: "f", what: "a fetch by key, fresh: its source is asked for, and read", operations: 1_000_000,
        ours: .onThread("ours") { operations in
            let scheduler = TestScheduler()
            let fetches = Fetches(from: 7, on: scheduler)
            let kept = fetches.source(Key(id: 3), freshFor: .seconds(60)).subscribe { _ in }
            scheduler.advance(by: .zero)
            for _ in 0..<operations {
                Sink.sum &+= fetches.source(Key(id: 3), freshFor: .seconds(60)).value.fetched?.value ?? 0
            }
            kept.cancel()
        },
        peers: [
            .onThread("by hand") { operations in
                let values = Mutex([Key(id: 3): 7])
                for _ in 0..<operations { Sink.sum &+= values.withLock { $0[Key(id: 3)] } ?? 0 }
            }
        ], reach: [.nanoseconds(1_000)])
}

private struct Key: FetchKey {
    let id: Int
    func fetch(from client: Int) -> Promise<Int> { .value(client) }
}
