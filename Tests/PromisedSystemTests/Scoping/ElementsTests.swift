import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// A reducer written for one element, lifted to every element of a collection.
@Suite struct ElementsTests {
    struct Row: Sendable, Equatable, Identifiable {
        let id: String
        var numbers: [Int] = []
    }

    struct Table: Sendable, Equatable {
        /// Before the array, so that the array is not the first field.
        var title = "rows"
        var rows: [Row] = []
        var named: [String: Row] = [:]
        /// Not stored: reached by its key path.
        var mirrored: [Row] {
            get { rows }
            set { rows = newValue }
        }
    }

    enum Event: Sendable {
        case row(String, Int)
        case place(Int, Int)
        case other
    }

    private static let adding = Reducer<Row, Int> { row, number in row.numbers.append(number) }
    private static let byID = CasePath<Event, (String, Int)>(
        embed: { .row($0.0, $0.1) },
        extract: { if case .row(let id, let number) = $0 { (id, number) } else { nil } })
    private static let byPlace = CasePath<Event, (Int, Int)>(
        embed: { .place($0.0, $0.1) },
        extract: { if case .place(let place, let number) = $0 { (place, number) } else { nil } })

    private func after(
        _ events: [Event], _ reducer: Reducer<Table, Event>, _ table: Table
    ) -> Table {
        let system = System<Table, Event>(initialState: table, scheduler: .immediate, reducer: reducer)
        for event in events { system.sendEvent(event) }
        return system.state
    }

    @Test("SR-35: events are addressed by identity, place or key; one for a missing element is a no-op")
    func addressed() {
        let table = Table(rows: [Row(id: "a"), Row(id: "b")], named: ["a": Row(id: "x")])
        let events: [Event] = [
            .row("b", 1), .row("gone", 2), .place(0, 3), .place(9, 4), .place(-1, 5), .other, .row("b", 6),
        ]
        let rows = Elements(in: \Table.rows, event: Self.byID)
        #expect(after(events, Self.adding.lifted(byEach: rows), table).rows.map(\.numbers) == [[], [1, 6]])
        let mirrored = Elements(in: \Table.mirrored, event: Self.byID)
        #expect(
            after(events, Self.adding.lifted(byEach: mirrored), table).rows.map(\.numbers) == [[], [1, 6]])
        let places = Elements(indexedIn: \Table.rows, event: Self.byPlace)
        #expect(after(events, Self.adding.lifted(byEach: places), table).rows.map(\.numbers) == [[3], []])
        let named = Elements(keyedIn: \Table.named, event: Self.byID)
        #expect(
            after([.row("a", 1), .row("b", 2)], Self.adding.lifted(byEach: named), table).named["a"]?.numbers
                == [1])
        #expect(after(events, Self.adding.lifted(byEach: named), table) == table)
    }

    @Test("SR-35: a reducer of an element that takes time changes that element alone") func slowly() {
        let scheduler = TestScheduler()
        let slow = Reducer<Row, Int> { row, number in
            var next = row
            next.numbers.append(number)
            return Promise.value(next).delay(.seconds(1))
        }
        let rows = Elements(in: \Table.rows, event: Self.byID)
        let system = System<Table, Event>(
            initialState: Table(rows: [Row(id: "a"), Row(id: "b")]), scheduler: scheduler,
            reducer: (slow <> Self.adding).lifted(byEach: rows))
        for event in [Event.row("b", 1), .row("gone", 2), .other, .row("a", 3)] { system.sendEvent(event) }
        scheduler.run()
        #expect(system.state.rows.map(\.numbers) == [[3, 3], [1, 1]])
        #expect(scheduler.now == .seconds(2))
    }

    @Test("SR-44: the scope of one element reads it, and sends the events meant for it") func scopeOfOne() {
        let rows = Elements(in: \Table.rows, event: Self.byID)
        let system = System<Table, Event>(
            initialState: Table(rows: [Row(id: "a"), Row(id: "b")]), scheduler: .immediate,
            reducer: Self.adding.lifted(byEach: rows))
        let row = system.scoped(by: rows.scope(of: "b"))
        let seen = Log<[Int]?>()
        let token = row.settled.subscribe { seen.add($0?.numbers) }
        row.sendEvent(7)
        system.sendEvent(.row("a", 8))
        #expect(seen.entries == [[], [7]])
        token.cancel()
    }

    @Test("SR-11: a part of a large state is changed in place, not copied") func noCopy() {
        let rows = Elements(indexedIn: \Table.rows, event: Self.byPlace)
        let system = System<Table, Event>(
            initialState: Table(rows: (0..<100).map { Row(id: "\($0)") }), scheduler: .immediate,
            reducer: Reducer<Row, Int> { row, number in row.numbers = [number] }.lifted(byEach: rows))
        system.sendEvent(.place(0, 0))
        let place = { system.state.rows.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        let before = place()
        for number in 0..<100 {
            system.sendEvent(.place(number, number))
            #expect(place() == before)
        }
    }
}
