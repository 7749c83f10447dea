import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// Unwrapped parts: a row or a sheet whose state is not optional.
@Suite struct UnwrappedScopeTests {
    struct Row: Sendable, Equatable, Identifiable {
        let id: Int
        var count = 0
    }

    struct Table: Sendable {
        var rows = [Row(id: 1), Row(id: 2)]
        var sheet: Row? = Row(id: 9)
    }

    enum Event: Sendable { case row(Int, Int), sheet(Int), set(Table), load }

    private static let rows = Elements(
        in: \Table.rows,
        event: CasePath<Event, (Int, Int)>(embed: { .row($0.0, $0.1) }) {
            if case .row(let id, let number) = $0 { (id, number) } else { nil }
        })
    private static let sheet = Scope(
        state: \Table.sheet,
        event: CasePath(embed: Event.sheet) { if case .sheet(let number) = $0 { number } else { nil } })

    private let scheduler = TestScheduler()
    private let events = Log<String>()
    private let log = Log<String>()

    private func table() -> System<Table, Event> {
        let counting = Reducer<Row, Int> { row, number in row.count += number }
        let loading = Reducer<Table, Event> { table, event in
            switch event {
            case .set(let next): return .value(next)
            case .load:
                var shown = table
                for index in shown.rows.indices { shown.rows[index].count = -1 }
                return Promise.value(table).delay(.seconds(1)).stateWhenLoading(shown)
            case .row, .sheet: return .value(table)
            }
        }
        let system = System(
            initialState: Table(), scheduler: scheduler,
            reducer: loading <> counting.lifted(byEach: Self.rows) <> counting.lifted(by: Self.sheet))
        system.onLoop { [events] in events.add("\($0.event)") }
        return system
    }

    private func row(_ id: Int, of table: System<Table, Event>) -> ScopedSystem<Row, Int>? {
        table.scoped(by: Self.rows.scope(of: id)).unwrapped()
    }

    @Test("SR-31: an unwrapped row has its state, sends its events, and is nil if there is no row")
    func row() throws {
        let table = table()
        let row = try #require(self.row(2, of: table))
        #expect(self.row(3, of: table) == nil)
        let token = row.settled.subscribe { [log] in log.add("\($0.count)") }
        row.sendEvent(5)
        scheduler.run()
        #expect(row.state == Row(id: 2, count: 5))
        #expect(log.entries == ["0", "5"])
        token.cancel()
    }

    @Test(
        "SR-31: after its removal an unwrapped part keeps the last state, notifies of nothing, and sends nothing"
    )
    func gone() throws {
        let table = table()
        let faces = [
            try #require(self.row(2, of: table)), try #require(table.scoped(by: Self.sheet).unwrapped()),
        ]
        let tokens = faces.map { face in face.settled.subscribe { [log] in log.add("\($0.count)") } }
        for face in faces { face.sendEvent(5) }
        scheduler.run()
        _ = (log.take(), events.take())
        table.sendEvent(.set(Table(rows: [], sheet: nil)))
        scheduler.run()
        _ = events.take()
        for face in faces { face.sendEvent(1) }
        scheduler.run()
        #expect(events.entries == [])
        #expect(log.entries == [])
        #expect(faces.map(\.state) == [Row(id: 2, count: 5), Row(id: 9, count: 5)])
        #expect(faces.map(\.settled.value.count) == [5, 5])
        #expect(faces.map(\.shown.value) == [.settled(Row(id: 2, count: 5)), .settled(Row(id: 9, count: 5))])
        // A late subscriber receives the last state.
        let late = faces.map { face in face.settled.subscribe { [log] in log.add("late \($0.count)") } }
        let lateShown = faces.map { face in
            face.shown.subscribe { [log] in log.add("shown \($0.state.count)") }
        }
        #expect(log.take() == ["late 5", "late 5", "shown 5", "shown 5"])
        for token in tokens + late + lateShown { token.cancel() }
    }

    @Test("SR-31: the last state is the last one settled, even without a read or a subscription")
    func unread() throws {
        let table = table()
        let row = try #require(self.row(2, of: table))
        table.sendEvent(.row(2, 3))
        table.sendEvent(.set(Table(rows: [])))
        scheduler.run()
        #expect(row.state == Row(id: 2, count: 3))
    }

    @Test(
        "SR-31: the unwrapped part of a part that was gone keeps its last state, and sends nothing to the next one"
    )
    func comesBack() throws {
        let table = table()
        let row = try #require(self.row(2, of: table))
        let token = row.settled.subscribe { [log] in log.add("\($0.count)") }
        table.sendEvent(.set(Table(rows: [])))
        table.sendEvent(.set(Table(rows: [Row(id: 2, count: 7)])))
        scheduler.run()
        row.sendEvent(1)
        scheduler.run()
        #expect(log.entries == ["0"] && row.state.count == 0)
        #expect(table.state.rows == [Row(id: 2, count: 7)])
        token.cancel()
    }

    @Test("SR-31: with a given initial state, a part that comes back shows the new state, and sends again")
    func follows() {
        let table = table()
        let row = table.scoped(by: Self.rows.scope(of: 2)).unwrapped(or: Row(id: 2, count: 0))
        let token = row.settled.subscribe { [log] in log.add("\($0.count)") }
        table.sendEvent(.set(Table(rows: [])))
        table.sendEvent(.set(Table(rows: [Row(id: 2, count: 7)])))
        scheduler.run()
        row.sendEvent(1)
        scheduler.run()
        #expect(log.entries == ["0", "7", "8"])
        token.cancel()
    }

    @Test("SR-31: with a given initial state the part need not exist yet") func notYet() {
        let table = table()
        let row = table.scoped(by: Self.rows.scope(of: 3)).unwrapped(or: Row(id: 3, count: -7))
        row.sendEvent(1)
        scheduler.run()
        #expect(row.state.count == -7 && events.entries == [])
        table.sendEvent(.set(Table(rows: [Row(id: 3, count: 4)])))
        scheduler.run()
        row.sendEvent(1)
        scheduler.run()
        #expect(row.state.count == 5)
    }

    @Test("PK-10: an unwrapped row shows loading states") func loading() throws {
        let table = table()
        let row = try #require(self.row(1, of: table))
        let token = row.shown.subscribe { [log] in log.add("\($0.state.count)\($0.isLoading ? " …" : "")") }
        table.sendEvent(.load)
        scheduler.run()
        #expect(log.entries == ["0", "-1 …", "0"])
        token.cancel()
    }

    @Test("SR-31: parts of an unwrapped row can be scoped; unwrapping one row twice gives one source")
    func parts() throws {
        let table = table()
        let row = try #require(self.row(1, of: table))
        let count: ScopedSystem<Int, Never> = row.scoped(to: \.count)
        row.sendEvent(2)
        scheduler.run()
        #expect(count.state == 2)
        let again = try #require(self.row(1, of: table))
        #expect(again.settled == row.settled && again.settled.id == row.settled.id)
        let object = Object(log)
        row.settled.subscribe(object, Object.show, replayCurrent: false)
        again.settled.unsubscribe(object)
        row.sendEvent(2)
        scheduler.run()
        #expect(log.entries == [])
    }

    @Test("SR-31: releasing an unwrapped part leaves no subscription behind") func letGo() throws {
        let table = System<Table, Event>(
            initialState: Table(), scheduler: .immediate,
            reducer: Reducer { if case .set(let table) = $1 { $0 = table } })
        let before = table.subscribers
        do {
            let sheet = try #require(table.scoped(by: Self.sheet).unwrapped())
            #expect(table.subscribers == before + 1)
            withExtendedLifetime(sheet) {}
        }
        #expect(table.subscribers == before)
    }
}

private final class Object: Sendable {
    private let log: Log<String>

    init(_ log: Log<String>) { self.log = log }

    func show(_ row: UnwrappedScopeTests.Row) { log.add("show \(row.count)") }
}
