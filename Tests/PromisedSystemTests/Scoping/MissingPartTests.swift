import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Events for a missing part are distinguished from those that were reduced.
@Suite struct MissingPartTests {
    struct Row: Sendable, Equatable, Identifiable {
        let id: Int
        var count = 0
    }

    struct Table: Sendable, Equatable {
        var rows = [Row(id: 1)]
        var named = ["a": Row(id: 1)]
        var chosen: Row? = Row(id: 1)
        var total = 0

        static let empty = Table(rows: [], named: [:], chosen: nil)
    }

    enum Event: Sendable, Equatable {
        case row(Int, Int), place(Int, Int), named(String, Int), chosen(Int), total(Int)
    }

    private static let row = CasePath<Event, (Int, Int)>(embed: { .row($0.0, $0.1) }) {
        if case .row(let id, let add) = $0 { (id, add) } else { nil }
    }
    private static let place = CasePath<Event, (Int, Int)>(embed: { .place($0.0, $0.1) }) {
        if case .place(let place, let add) = $0 { (place, add) } else { nil }
    }
    private static let named = CasePath<Event, (String, Int)>(embed: { .named($0.0, $0.1) }) {
        if case .named(let name, let add) = $0 { (name, add) } else { nil }
    }
    private static let choice = CasePath<Event, Int>(embed: Event.chosen) {
        if case .chosen(let add) = $0 { add } else { nil }
    }
    private static let chosen = Scope<Table, Event, Row?, Int>(state: \.chosen, event: choice)
    private static let inPlace = Reducer<Row, Int> { row, add in row.count += add }
    private static let promised = Reducer<Row, Int> { row, add in
        Promise.value(Row(id: row.id, count: row.count + add))
    }
    private static let totalling = Reducer<Table, Event> { table, event in
        if case .total(let add) = event { table.total += add }
    }

    enum Form: CaseIterable { case inPlace, promise }

    private static func table(_ form: Form) -> Reducer<Table, Event> {
        let row = form == .inPlace ? inPlace : promised
        return .combined(
            totalling, row.lifted(byEach: Elements(in: \.rows, event: Self.row)),
            row.lifted(byEach: Elements(indexedIn: \.rows, event: place)),
            row.lifted(byEach: Elements(keyedIn: \.named, event: named)), row.lifted(by: chosen))
    }

    private func outcomes<State: Sendable, Event: Sendable>(
        _ state: State, _ reducer: Reducer<State, Event>, _ events: [Event]
    ) -> [String] {
        let system = System(initialState: state, scheduler: .immediate, reducer: reducer)
        let outcomes = Log<String>()
        system.onLoop { outcomes.add(describe($0.outcome)) }
        for event in events { system.sendEvent(event) }
        return outcomes.entries
    }

    @Test("SR-35: the record says that an event was for a missing part", arguments: Form.allCases)
    func records(form: Form) {
        let events: [Event] = [.row(1, 2), .place(0, 2), .named("a", 2), .chosen(2), .total(2)]
        let there = outcomes(Table(), Self.table(form), events)
        #expect(there == Array(repeating: "settled", count: 5))
        let gone = outcomes(Table.empty, Self.table(form), events)
        #expect(gone == ["missed", "missed", "missed", "missed", "settled"])
        #expect(
            outcomes(Table(), Self.table(form), [.row(2, 1), .place(1, 1), .named("b", 1), .row(1, 1)])
                == ["missed", "missed", "missed", "settled"])
    }

    @Test("SR-35: an element with its own scope, and a part of an optional part, are missed alike")
    func scopes() {
        let one = Self.inPlace.lifted(by: Scope(id: 7, in: \Table.rows, event: Self.row))
        #expect(outcomes(Table(), one, [.row(7, 1), .row(1, 1)]) == ["missed", "settled"])
        let count = Scope<Row, Int, Int, Int>(state: \.count, event: CasePath(embed: { $0 }) { $0 })
        let nested = Reducer<Int, Int> { $0 += $1 }.lifted(by: Self.chosen.appending(count))
        #expect(outcomes(Table(), nested, [.chosen(1)]) == ["settled"])
        #expect(outcomes(Table.empty, nested, [.chosen(1)]) == ["missed"])
    }

    @Test(
        "SR-44: an event for a missing part that the lifted reducer does not handle is not missed")
    func meansNothing() {
        // Of an optional row only the count has a reducer, which handles positive numbers only.
        let count = Scope<Row, Int, Int, Int>(
            state: \.count, event: CasePath(embed: { $0 }) { $0 > 0 ? $0 : nil })
        let counting = Reducer<Int, Int> { $0 += $1 }
        let twice = counting.lifted(by: count).lifted(by: Self.chosen)
        let composed = counting.lifted(by: Self.chosen.appending(count))
        for reducer in [twice, composed, .identity <> twice, composed <> .identity] {
            #expect(outcomes(Table.empty, reducer, [.chosen(1), .chosen(-1)]) == ["missed", "settled"])
        }
    }

    private enum Screen: Sendable, Equatable { case list, detail(Row) }

    @Test("SR-35: an event for a case that the state is not in is missed", arguments: Form.allCases)
    func cases(form: Form) {
        let detail = Scope<Screen, Event, Row?, Int>(
            state: CasePath(embed: Screen.detail) { if case .detail(let row) = $0 { row } else { nil } },
            event: Self.choice)
        let reducer = (form == .inPlace ? Self.inPlace : Self.promised).lifted(by: detail)
        #expect(outcomes(Screen.list, reducer, [.chosen(1), .total(1)]) == ["missed", "settled"])
        #expect(outcomes(Screen.detail(Row(id: 1)), reducer, [.chosen(1)]) == ["settled"])
    }

    @Test(
        "SR-35: changes that the whole makes for a missed event are kept, and the outcome is missed")
    func both() {
        let system = System(
            initialState: Table.empty, scheduler: .immediate,
            reducer: Self.inPlace.lifted(by: Self.chosen)
                <> Reducer { table, event in if case .chosen(let add) = event { table.total += add } })
        let seen = Log<String>()
        system.onLoop { seen.add("\(describe($0.outcome)) \($0.before.total) \($0.after.total)") }
        system.sendEvent(.chosen(3))
        #expect(seen.entries == ["missed 0 3"])
    }

    @Test(
        "SR-35: a part that is missed after a promise that settles synchronously is noticed")
    func behindAPromise() {
        let settling = Reducer<Table, Event> { table, _ in Promise<Table> { $0.fulfill(table) } }
        let reducer = settling <> Self.inPlace.lifted(by: Self.chosen)
        #expect(outcomes(Table.empty, reducer, [.chosen(1), .total(1)]) == ["missed", "settled"])
        #expect(outcomes(Table(), reducer, [.chosen(1)]) == ["settled"])
    }

    @Test("SR-35: a transition that takes time is missed when it ends, with its result")
    func takesTime() {
        let scheduler = TestScheduler()
        let system = System(
            initialState: Table.empty, scheduler: scheduler,
            reducer: Self.inPlace.lifted(by: Self.chosen)
                <> Reducer { table, _ in Promise.value(Table(total: table.total + 1)).delay(.seconds(1)) })
        let seen = Log<String>()
        system.onLoop { seen.add("\(describe($0.outcome)) \($0.after.total)") }
        for event in [Event.chosen(1), .chosen(1)] { system.sendEvent(event) }
        scheduler.run()
        #expect(seen.entries == ["missed 1", "settled 2"])
    }

    @Test(
        "SR-35: without an observer of records such an event is reported, with its place, unless that is switched off"
    )
    func reported() {
        Reports.begin()
        let before = Reports.count
        defer { PromiseDiagnostics.reportsMissedParts = true }
        for (index, form) in Form.allCases.enumerated() {
            let system = System(
                initialState: Table.empty, scheduler: .immediate, reducer: Self.table(form))
            let line = #line + 1
            system.sendEvent(.row(4711 + index, 1))
            let reports = Reports.about("row(\(4711 + index), 1)", after: before)
            #expect(
                reports.map(\.description) == [
                    "The event row(\(4711 + index), 1), sent at PromisedSystemTests/MissingPartTests.swift:\(line), "
                        + "addressed a part of the state that is absent: its reducer was not called"
                ])
            system.sendEvent(.total(4711 + index))
            #expect(Reports.about("total(\(4711 + index))", after: before).isEmpty)
            PromiseDiagnostics.reportsMissedParts = false
            system.sendEvent(.row(5711 + index, 1))
            PromiseDiagnostics.reportsMissedParts = true
            #expect(Reports.about("row(\(5711 + index), 1)", after: before).isEmpty)
            system.onLoop { _ in }
            system.sendEvent(.row(6711 + index, 1))
            #expect(Reports.about("row(\(6711 + index), 1)", after: before).isEmpty)
        }
        let lifted = System(
            initialState: Table(), scheduler: .immediate, reducer: Self.inPlace.lifted(by: Self.chosen))
        let line = #line + 1
        lifted.sendEvent(.total(8711))
        #expect(
            Reports.about("total(8711)", after: before).map(\.description) == [
                "Nothing took the event total(8711), sent at PromisedSystemTests/MissingPartTests.swift:\(line): "
                    + "the feature that it is for was not lifted into the system's reducer, or its case path does not "
                    + "extract it"
            ])
        lifted.sendEvent(.chosen(8712))
        #expect(Reports.about("chosen(8712)", after: before).isEmpty)
        PromiseDiagnostics.reportsMissedParts = false
        lifted.sendEvent(.total(8713))
        #expect(Reports.about("total(8713)", after: before).isEmpty)
    }

    enum Sender: CaseIterable { case reducer, promise, binding }

    @Test(
        "SR-35: a missed event sent to another system during a turn is attributed to that system alone",
        arguments: Form.allCases, Sender.allCases)
    func missedInsideOfATurn(form: Form, sender: Sender) {
        let outcomes = Log<String>()
        let other = System(
            initialState: Table.empty, scheduler: .immediate, reducer: Self.table(form))
        other.onLoop { outcomes.add("other: \(describe($0.outcome))") }
        let sending: Reducer<Table, Event> =
            switch sender {
            case .reducer: Reducer { (_: inout Table, _: Event) in other.sendEvent(.chosen(1)) }
            case .promise:
                Reducer { table, _ in
                    Promise {
                        other.sendEvent(.chosen(1))
                        $0.fulfill(table)
                    }
                }
            case .binding: .identity
            }
        let system = System(
            initialState: Table(), scheduler: .immediate, reducer: Self.table(form) <> sending)
        if sender == .binding {
            system.addBinding { if $0.total > 0 { other.sendEvent(.chosen(1)) } }
        }
        // Without an observer of its records: it would be reported.
        Reports.begin()
        let before = Reports.count
        system.sendEvent(.total(7711))
        #expect(Reports.about("total(7711)", after: before).isEmpty)
        #expect(outcomes.entries == ["other: missed"])
    }

    @Test("SR-35: printed changes say that an event was missed") func printed() {
        let system = System(initialState: Table.empty, scheduler: .immediate, reducer: Self.table(.inPlace))
        let lines = Log<String>()
        system.printChanges { lines.add($0) }
        system.sendEvent(.chosen(1))
        #expect(lines.entries == ["chosen(1): missed: its part of the state does not exist"])
    }
}
