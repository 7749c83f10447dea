import Testing

@testable import PromisedTesting

/// Numbers for values, the same for equal ones.
@Suite struct NumberTableTests {
    /// All have one hash.
    private struct Colliding: Hashable {
        let name: String

        func hash(into hasher: inout Hasher) {}
    }

    @Test("Equal values have one number and others have others, although all have one hash") func collisions()
    {
        let table = NumberTable<Colliding>()
        let values = ["a", "b", "c", "d"].map { Colliding(name: $0) }
        #expect(values.map { table.number(of: $0) } == [0, 1, 2, 3])
        #expect(values.reversed().map { table.number(of: $0) } == [3, 2, 1, 0])
        #expect(table.values == values)
    }
}
