import Testing

@testable import PromisedExploring

/// Numbers for values, the same number for equal values.
@Suite struct NumberTableTests {
    /// All values have the same hash.
    private struct Colliding: Hashable {
        let name: String

        func hash(into hasher: inout Hasher) {}
    }

    @Test("Equal values have the same number and others have different ones, although all have one hash")
    func collisions() {
        let table = NumberTable<Colliding>(ValueCount())
        let values = ["a", "b", "c", "d"].map { Colliding(name: $0) }
        #expect(values.map { table.number(of: $0) } == [0, 1, 2, 3])
        #expect(values.reversed().map { table.number(of: $0) } == [3, 2, 1, 0])
        #expect(table.values == values)
    }
}
