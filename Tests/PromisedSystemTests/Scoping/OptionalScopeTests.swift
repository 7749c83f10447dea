import PromisedSystem
import Testing

/// Optional parts: optionals, cases of an enum, elements of collections.
@Suite struct OptionalScopeTests {
    struct Row: Sendable, Equatable, Identifiable {
        let id: Int
        var count = 0
    }

    struct Table: Sendable, Equatable {
        var rows: [Row] = []
        var named: [String: Row] = [:]
        var chosen: Row?
    }

    enum Event: Sendable {
        case row(Int, Int)
        case place(Int, Int)
        case named(String, Int)
        case chosen(Int)
    }

    private static let counting = Reducer<Row, Int> { $0.count += $1 }

    private static func row(_ id: Int) -> Scope<Table, Event, Row?, Int> {
        Scope(
            id: id, in: \.rows,
            event: CasePath(embed: { .row($0.0, $0.1) }) {
                if case .row(let id, let add) = $0 { (id, add) } else { nil }
            })
    }

    private static func place(_ index: Int) -> Scope<Table, Event, Row?, Int> {
        Scope(
            index: index, in: \.rows,
            event: CasePath(embed: { .place($0.0, $0.1) }) {
                if case .place(let index, let add) = $0 { (index, add) } else { nil }
            })
    }

    private static func named(_ key: String) -> Scope<Table, Event, Row?, Int> {
        Scope(
            key: key, in: \.named,
            event: CasePath(embed: { .named($0.0, $0.1) }) {
                if case .named(let key, let add) = $0 { (key, add) } else { nil }
            })
    }

    private static let chosen = Scope<Table, Event, Row?, Int>(
        state: \.chosen,
        event: CasePath(embed: Event.chosen) { if case .chosen(let add) = $0 { add } else { nil } })

    private func changed(_ table: Table, _ scope: Scope<Table, Event, Row?, Int>, _ event: Event) -> Table {
        let system = System<Table, Event>(
            initialState: table, scheduler: .immediate, reducer: Self.counting.lifted(by: scope))
        system.sendEvent(event)
        return system.state
    }

    @Test("SR-35: an element is found by id, index or key; an event for a missing one is ignored")
    func elements() {
        let table = Table(
            rows: [Row(id: 7), Row(id: 8)], named: ["a": Row(id: 1)], chosen: Row(id: 3))
        #expect(changed(table, Self.row(8), .row(8, 2)).rows.map(\.count) == [0, 2])
        #expect(changed(table, Self.row(8), .row(7, 2)) == table)
        #expect(changed(table, Self.row(9), .row(9, 2)) == table)
        #expect(changed(table, Self.place(0), .place(0, 2)).rows.map(\.count) == [2, 0])
        #expect(changed(table, Self.place(5), .place(5, 2)) == table)
        #expect(changed(table, Self.named("a"), .named("a", 2)).named["a"]?.count == 2)
        #expect(changed(table, Self.named("b"), .named("b", 2)) == table)
        #expect(changed(table, Self.chosen, .chosen(2)).chosen?.count == 2)
        #expect(changed(Table(), Self.chosen, .chosen(2)) == Table())
    }

    @Test("SR-31: a part that is removed reads nil, and notifies of it once") func gone() {
        let system = System<Table, [Row]>(
            initialState: Table(rows: [Row(id: 1), Row(id: 2)]), scheduler: .immediate,
            reducer: Reducer { $0.rows = $1 })
        let scope = Scope<Table, [Row], Row?, Int>(
            get: { $0.rows.first { $0.id == 2 } }, modify: { _, _ in }, extract: { _ in nil },
            embed: { _ in nil })
        let seen = Log<Int?>()
        let token = system.scoped(by: scope).settled.subscribe { seen.add($0?.id) }
        system.sendEvent([Row(id: 1)])
        system.sendEvent([Row(id: 1, count: 5)])
        system.sendEvent([Row(id: 1), Row(id: 2)])
        #expect(seen.entries == [2, nil, 2])
        token.cancel()
    }

    enum Screen: Sendable, Equatable {
        case list([Int])
        case detail(Row)
    }

    @Test("SR-35: with an enum as destination, its reducer runs while it is shown") func destination() {
        let detail = Scope<Screen, Event, Row?, Int>(
            state: CasePath(embed: Screen.detail) { if case .detail(let row) = $0 { row } else { nil } },
            event: CasePath(embed: Event.chosen) { if case .chosen(let add) = $0 { add } else { nil } })
        let reducer = Self.counting.lifted(by: detail)
        for (screen, expected) in [
            (Screen.list([1]), Screen.list([1])), (.detail(Row(id: 1)), .detail(Row(id: 1, count: 4))),
        ] {
            let system = System<Screen, Event>(initialState: screen, scheduler: .immediate, reducer: reducer)
            system.sendEvent(.chosen(4))
            #expect(system.state == expected)
        }
    }

    @Test("SR-44: a part of an optional part reads and sends through both scopes") func nested() {
        let count = Scope<Row, Int, Int, Int>(
            get: \.count, modify: { $1(&$0.count) }, extract: { $0 }, embed: { $0 })
        let scope = Self.chosen.appending(count)
        let system = System<Table, Event>(
            initialState: Table(chosen: Row(id: 1)), scheduler: .immediate,
            reducer: Reducer<Int, Int> { $0 += $1 }.lifted(by: scope))
        system.scoped(by: scope).sendEvent(6)
        #expect(system.state.chosen?.count == 6)
        #expect(system.scoped(by: scope).state == 6)
    }

    @Test("SR-44: a part of an optional part of a system works step by step") func stepByStep() {
        let count = Scope<Row, Int, Int, Int>(
            get: \.count, modify: { $1(&$0.count) }, extract: { $0 }, embed: { $0 })
        let odd = Scope<Row, Int, Int?, Int>(
            get: { $0.count.isMultiple(of: 2) ? nil : $0.count }, modify: { _, _ in }, extract: { $0 },
            embed: { $0 })
        let system = System<Table, Event>(
            initialState: Table(chosen: Row(id: 1)), scheduler: .immediate,
            reducer: Reducer<Int, Int> { $0 += $1 }.lifted(by: Self.chosen.appending(count)))
        let chosen = system.scoped(by: Self.chosen)
        let parts: [ScopedSystem<Int?, Int>] = [
            chosen.scoped(by: count.optional), chosen.scoped(by: odd.flatOptional()),
        ]
        let told = Log<Int?>()
        let tokens = parts.map { $0.settled.subscribe { told.add($0) } }
        for add in [1, 0, 1] { parts[0].sendEvent(add) }
        #expect(parts.map(\.state) == [2, nil])
        #expect(told.entries == [0, nil, 1, 1, 2, nil])
        withExtendedLifetime(tokens) {}
    }
}
