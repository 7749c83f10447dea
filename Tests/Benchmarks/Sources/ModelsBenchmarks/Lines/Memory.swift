import MemoryCounting
import PromisedModels

extension Line {
    static let memory = Line(
        id: "m", what: "an active model without tasks: memory, without its state",
        operations: 10_000, smallest: 10_000,
        ours: Contender(name: "ours") { count in onSmallThread { hold(count) } }, reach: [.bytes(400)],
        note: "Bytes in use by malloc, its headers included.")
}

/// Not a time: the bytes take its place in the table.
@inline(never) private func hold(_ count: Int) -> Sample {
    // The first store makes a thread's permanent allocations.
    _ = table(rows: 1)
    let rows = (0..<count).map { Leaf.State(id: $0) }
    let (bytes, allocations) = (Int(bytes_in_use()), counted_allocations())
    let store = Store<Roster>(initialState: .init(rows: rows), scheduler: .immediate)
    return withExtendedLifetime((store, rows)) {
        Sample(
            nanoseconds: Double(Int(bytes_in_use()) - bytes),
            allocations: Int(counted_allocations() - allocations), sum: Sink.sum)
    }
}
