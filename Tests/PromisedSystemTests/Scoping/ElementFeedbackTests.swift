import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// A feedback or a middleware written for one element, lifted to each of a collection.
@Suite struct ElementFeedbackTests {
    struct Row: Sendable, Equatable, Identifiable {
        let id: Int
        var wanted: String?
        var got: [String] = []
        var lines: [Row] = []
    }

    struct Table: Sendable, Equatable { var rows: [Row] = [] }

    enum RowEvent: Sendable, Equatable {
        case want(String?), got(String), say(String)
        indirect case line(Int, RowEvent)
    }

    enum Event: Sendable {
        case row(Int, RowEvent)
        case rows([Row])
    }

    static let rows = Elements(
        in: \Table.rows,
        event: CasePath<Event, (Int, RowEvent)>(embed: { .row($0.0, $0.1) }) {
            if case .row(let id, let event) = $0 { (id, event) } else { nil }
        })

    static let lines = Elements(
        in: \Row.lines,
        event: CasePath<RowEvent, (Int, RowEvent)>(embed: { .line($0.0, $0.1) }) {
            if case .line(let id, let event) = $0 { (id, event) } else { nil }
        })

    static let reducer = Reducer<Row, RowEvent> { row, event in
        switch event {
        case .want(let what): row.wanted = what
        case .got(let what): row.got.append(what)
        case .say, .line: break
        }
    }

    private static let setting = Reducer<Table, Event> { table, event in
        if case .rows(let rows) = event { table.rows = rows }
    }

    /// `+what` when work starts, `-what` when it is cancelled.
    private let works = Log<String>()
    private let scheduler = TestScheduler()

    private func work(_ what: String) -> Effect<RowEvent> {
        Effect { [works] effect in
            works.add("+\(what)")
            effect.onCancel { works.add("-\(what)") }
            effect.scheduler.schedule(after: .seconds(1)) { effect.finish(sending: .got(what)) }
        }
    }

    private var fetching: Feedback<Row, RowEvent> {
        .lensingSkippingRepeated(state: \.wanted) { self.work($0) }
    }

    private func system(
        _ rows: [Row], _ feedback: Feedback<Row, RowEvent>, reducer: Reducer<Row, RowEvent> = Self.reducer
    ) -> System<Table, Event> {
        let feature = Feature(reducer: reducer, feedbacks: [feedback]).lifted(byEach: Self.rows)
        return System(
            initialState: Table(rows: rows), scheduler: scheduler,
            feature: Feature(reducer: Self.setting) <> feature)
    }

    private func send(_ system: System<Table, Event>, _ events: Event...) {
        for event in events { system.sendEvent(event) }
        scheduler.advance()
    }

    @Test(
        "SR-35: each element has its own work, whose events come back to it; the work of others keeps running"
    )
    func each() {
        let system = system([Row(id: 1, wanted: "a"), Row(id: 2)], fetching)
        send(system, .row(2, .want("b")), .row(9, .want("c")))
        #expect(works.entries == ["+a", "+b"])
        send(system, .row(1, .want("d")))
        #expect(works.entries == ["+a", "+b", "-a", "+d"])
        scheduler.run()
        #expect(system.state.rows.map(\.got) == [["d"], ["b"]])
    }

    @Test(
        "SR-35: removing an element cancels its work and discards that work's events; moving it keeps them"
    )
    func goes() {
        let system = system(
            [Row(id: 1, wanted: "a"), Row(id: 2, wanted: "b"), Row(id: 3, wanted: "c")], fetching)
        scheduler.advance()
        send(system, .rows([Row(id: 3, wanted: "c"), Row(id: 4, wanted: "d"), Row(id: 1, wanted: "a")]))
        #expect(works.entries == ["+a", "+b", "+c", "-b", "+d"])
        scheduler.run()
        #expect(system.state.rows.map(\.got) == [["c"], ["d"], ["a"]])
    }

    @Test("SR-35: an element that comes back restarts its work") func comesBack() {
        let system = system([Row(id: 1, wanted: "a")], fetching)
        scheduler.advance()
        send(system, .rows([]), .rows([Row(id: 1, wanted: "a")]))
        #expect(works.entries == ["+a", "-a", "+a"])
        scheduler.run()
        #expect(system.state.rows.map(\.got) == [["a"]])
    }

    @Test("SR-31: an optional part that comes back restarts its work") func optionalComesBack() {
        let chosen = Scope<Table, Event, Row?, RowEvent>(
            get: \.rows.first,
            modify: { table, change in
                var row = table.rows.first
                change(&row)
                if let row { table.rows[0] = row }
            }, extract: { if case .row(1, let event) = $0 { event } else { nil } }, embed: { .row(1, $0) })
        let feature = Feature(reducer: Self.reducer, feedbacks: [fetching]).lifted(by: chosen)
        let system = System(
            initialState: Table(rows: [Row(id: 1, wanted: "a")]), scheduler: scheduler,
            feature: Feature(reducer: Self.setting) <> feature)
        scheduler.advance()
        send(system, .rows([]), .rows([Row(id: 1, wanted: "a")]))
        #expect(works.entries == ["+a", "-a", "+a"])
    }

    @Test(
        "SR-35: work that an event started ends with its element; keys and policies apply per element"
    )
    func setOffByEvents() {
        let talking = Feedback<Row, RowEvent>.onEvent(
            { if case .say(let what) = $0 { what } else { nil } }, key: { _ in "talk" }, policy: .drop
        ) { self.work($0) }
        let system = system([Row(id: 1), Row(id: 2), Row(id: 3)], talking)
        send(
            system, .row(1, .say("a")), .row(2, .say("b")), .row(2, .say("late")), .row(9, .say("nobody")),
            .rows([Row(id: 3), Row(id: 1)]))
        #expect(works.entries == ["+a", "+b", "-b"])
        send(system, .rows([Row(id: 2), Row(id: 1)]), .row(2, .say("c")))
        scheduler.run()
        #expect(system.state.rows.map(\.got) == [["c"], ["a"]])
    }

    @Test("SR-35: the work of nested elements ends with the outer element") func nested() {
        let line = Feature(reducer: Self.reducer, feedbacks: [fetching])
        let row = Feature(reducer: Self.reducer, feedbacks: [fetching]) <> line.lifted(byEach: Self.lines)
        let system = System(
            initialState: Table(), scheduler: scheduler,
            feature: Feature(reducer: Self.setting) <> row.lifted(byEach: Self.rows))
        let inner = [Row(id: 1, wanted: "a1"), Row(id: 2, wanted: "a2")]
        send(system, .rows([Row(id: 1, wanted: "a", lines: inner), Row(id: 2, lines: inner)]))
        #expect(works.entries == ["+a", "+a1", "+a2", "+a1", "+a2"])
        send(system, .row(1, .line(2, .want(nil))), .rows([Row(id: 2, lines: inner)]))
        #expect(works.entries.dropFirst(5) == ["-a2", "-a", "-a1"])
        scheduler.run()
        #expect(system.state.rows.map { $0.lines.map(\.got) } == [[["a1"], ["a2"]]])
    }

    @Test("SR-35: of several elements with one identity the first counts") func twice() {
        let system = system([Row(id: 1, wanted: "a"), Row(id: 1, wanted: "b")], fetching)
        scheduler.run()
        #expect(works.entries == ["+a"])
        #expect(system.state.rows.map(\.got) == [["a"], []])
    }

    @Test("SR-35: values under keys and elements by place have their own work as well") func otherWays() {
        struct Shelf: Sendable {
            var named = ["x": Row(id: 1, wanted: "a")], listed = [Row(id: 7, wanted: "b")]
        }
        enum ShelfEvent: Sendable { case named(String, RowEvent), listed(Int, RowEvent) }
        let named = Elements(
            keyedIn: \Shelf.named,
            event: CasePath<ShelfEvent, (String, RowEvent)>(embed: { .named($0.0, $0.1) }) {
                if case .named(let key, let event) = $0 { (key, event) } else { nil }
            })
        let listed = Elements(
            indexedIn: \Shelf.listed,
            event: CasePath<ShelfEvent, (Int, RowEvent)>(embed: { .listed($0.0, $0.1) }) {
                if case .listed(let place, let event) = $0 { (place, event) } else { nil }
            })
        let row = Feature(reducer: Self.reducer, feedbacks: [fetching])
        let system = System(
            initialState: Shelf(), scheduler: scheduler,
            feature: row.lifted(byEach: named) <> row.lifted(byEach: listed))
        scheduler.run()
        #expect(works.entries == ["+a", "+b"])
        #expect(system.state.named["x"]?.got == ["a"] && system.state.listed[0].got == ["b"])
    }

    @Test("SR-35: an element that cancels a key cancels its own work, and that of elements inside it")
    func cancels() {
        let working = Feedback<Row, RowEvent>.onEvent(
            { if case .say(let what) = $0, what != "stop" { what } else { nil } }, key: { _ in "talk" }
        ) { self.work($0) }
        let stopping = Feedback<Row, RowEvent>.merging(
            events: { if case .say("stop") = $0 { true } else { nil } as Bool? }
        ) { _ in Effect<RowEvent>.cancel("talk") }
        let line = Feature(reducer: Self.reducer, feedbacks: [working, stopping])
        let row = line <> line.lifted(byEach: Self.lines)
        let system = System(
            initialState: Table(rows: [1, 2].map { Row(id: $0, lines: [Row(id: 1), Row(id: 2)]) }),
            scheduler: scheduler, feature: row.lifted(byEach: Self.rows))
        for row in 1...2 {
            send(system, .row(row, .say("\(row)")))
            for line in 1...2 { send(system, .row(row, .line(line, .say("\(row)\(line)")))) }
        }
        _ = works.take()
        send(system, .row(1, .line(2, .say("stop"))))
        #expect(works.take() == ["-12"])
        send(system, .row(2, .say("stop")))
        #expect(works.take() == ["-2", "-21", "-22"])
        scheduler.run()
        #expect(system.state.rows[0].got == ["1"] && system.state.rows[0].lines[0].got == ["11"])
    }

    @Test(
        "R25: values under keys start and end in the order of their keys, whatever the order of the dictionary"
    )
    func keyOrder() {
        struct Shelf: Sendable { var named: [String: Row] = [:] }
        typealias Change = @Sendable (inout Shelf) -> Void
        let named = Elements<Shelf, Change, String, Row, RowEvent>(
            keyedIn: \Shelf.named, event: CasePath(embed: { _ in { _ in } }, extract: { _ in nil }))
        let setting = Reducer<Shelf, Change> { shelf, change in change(&shelf) }
        let system = System(
            initialState: Shelf(), scheduler: scheduler,
            feature: Feature(reducer: setting) <> Feature(feedbacks: [fetching]).lifted(byEach: named))
        let keys = ["f", "b", "d", "c", "a", "e"]
        system.sendEvent { for key in keys { $0.named[key] = Row(id: 0, wanted: key) } }
        system.sendEvent { $0.named = [:] }
        scheduler.advance()
        #expect(works.entries == ["+a", "+b", "+c", "+d", "+e", "+f", "-a", "-b", "-c", "-d", "-e", "-f"])
    }

    @Test("SR-35: the end of the system ends the work of a thousand elements") func end() {
        var system: System<Table, Event>? = system((0..<1_000).map { Row(id: $0, wanted: "\($0)") }, fetching)
        scheduler.advance()
        #expect(works.entries.count == 1_000)
        system?.sendEvent(.row(3, .want(nil)))
        scheduler.advance()
        system = nil
        #expect(works.entries.dropFirst(1_000).first == "-3")
        #expect(works.entries.count == 2_000)
    }

    @Test("SR-21: middleware of an element is called only with events for existing elements")
    func middleware() {
        let seen = Log<String>()
        let middleware = Middleware<Row, RowEvent>(
            before: { event, row in
                seen.add("before \(row.state.id)")
                return switch event {
                case .say("no"): .stop
                case .want("x"): .replace(.want("y"))
                default: .pass
                }
            }, after: { _, row in seen.add("after \(row.state.id) \(row.state.wanted ?? "-")") })
        let feature = Feature(reducer: Self.reducer, middleware: middleware).lifted(byEach: Self.rows)
        let system = System(
            initialState: Table(rows: [Row(id: 1), Row(id: 2)]), scheduler: scheduler, feature: feature)
        send(system, .row(2, .want("x")), .row(9, .want("x")), .rows([]), .row(1, .say("no")))
        #expect(seen.entries == ["before 2", "after 2 y", "before 1"])
    }
}
