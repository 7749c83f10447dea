import PromisedSystem
import Testing

/// Which handles on parts of systems are equal.
@Suite struct ScopedEqualityTests {
    private struct Row: Sendable, Equatable, Identifiable { var id = 1, count = 0 }
    private struct Shop: Sendable, Equatable { var rows = [Row()], sheet: Row? = Row(), count = 0, other = 0 }
    private typealias Way<Local: Sendable> = Scope<Shop, Int, Local, Int>

    private static func shop() -> System<Shop, Int> {
        System(initialState: Shop(), scheduler: .immediate, reducer: Reducer { $0.count += $1 })
    }

    private let system = shop(), another = shop()

    private static let sheet = Way<Row?>(state: \.sheet, event: CasePath(embed: { $0 }) { $0 })
    private static let row = Way<Row?>(id: 1, in: \.rows, event: CasePath(embed: { $1 }) { (1, $0) })
    private static let ways: [(name: String, make: @Sendable (System<Shop, Int>) -> AnyHashable)] = [
        ("whole", { AnyHashable($0.scoped()) }),
        ("path", { AnyHashable($0.scoped(to: \.count) { (event: Int) in event }) }),
        ("other path", { AnyHashable($0.scoped(to: \.other) { (event: Int) in event }) }),
        ("read only", { AnyHashable($0.scoped(to: \.count)) }),
        ("two steps", { AnyHashable($0.scoped(by: sheet).scoped(to: \.?.count)) }),
        ("element", { AnyHashable($0.scoped(by: row)) }),
        ("part", { AnyHashable($0.scoped(by: sheet)) }),
        ("unwrapped", { AnyHashable($0.scoped(by: sheet).unwrapped()) }),
    ]

    @Test(
        "SA-61: handles on one part of one system are equal, on other parts or of other systems they are not")
    func table() {
        for (index, way) in Self.ways.enumerated() {
            let handle = way.make(system)
            let equal = Self.ways.indices.filter { Self.ways[$0].make(system) == handle }
            #expect(equal == [index], "\(way.name)")
            #expect(way.make(system).hashValue == handle.hashValue, "\(way.name)")
            #expect(way.make(another) != handle, "\(way.name)")
        }
    }

    @Test(
        "SA-61: a handle is equal after its state has changed, and a part found by closures only to its copies"
    )
    func changes() {
        let before = system.scoped(to: \.count)
        system.sendEvent(1)
        #expect(before == system.scoped(to: \.count) && before.state == 1)
        let closures = {
            Way<Int>(get: { $0.count }, modify: { $1(&$0.count) }, extract: { $0 }, embed: { $0 })
        }
        let (scope, other) = (closures(), closures())
        #expect(system.scoped(by: scope) == system.scoped(by: scope))
        #expect(system.scoped(by: scope) != system.scoped(by: other))
        #expect(ScopedSystem<Int, Int>.constant(1) != .constant(1))
    }
}
