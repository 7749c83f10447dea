import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// Events that are addressed to all elements of a collection.
@Suite struct EveryElementTests {
    struct Row: Sendable, Equatable, Identifiable {
        let id: Int
        var count = 0
    }

    struct Table: Sendable, Equatable {
        var rows = [3, 1, 2].map { Row(id: $0) }
        var named = ["b": Row(id: 1), "a": Row(id: 2)]
    }

    enum Event: Sendable, Equatable { case row(Int, Int), every(Int), other }

    private static let every: @Sendable (Event) -> Int? = {
        if case .every(let add) = $0 { add } else { nil }
    }
    private static let row = CasePath<Event, (Int, Int)>(embed: { .row($0.0, $0.1) }) {
        if case .row(let id, let add) = $0 { (id, add) } else { nil }
    }
    private static let named = CasePath<Event, (String, Int)>(embed: { .row($0.0.count, $0.1) }) { _ in nil }

    private static let byID = Elements(in: \Table.rows, event: row, all: every)
    private static let byPlace = Elements(indexedIn: \Table.rows, event: row, all: every)
    private static let byKey = Elements(keyedIn: \Table.named, event: named, all: every)

    private static let counting = Reducer<Row, Int> { row, add in row.count += add * row.id }

    private let scheduler = TestScheduler()
    private let log = Log<String>()

    private func table(_ feature: Feature<Table, Event>) -> System<Table, Event> {
        System(initialState: Table(), scheduler: scheduler, feature: feature)
    }

    @Test("SR-35: an event for all is reduced by every element; one for a missing element by none")
    func reduced() {
        for (elements, expected) in [(Self.byID, [6, 2, 4]), (Self.byPlace, [6, 2, 4])] {
            let table = table(Feature(reducer: Self.counting).lifted(byEach: elements))
            for event in [Event.every(2), .row(9, 1), .other] { table.sendEvent(event) }
            scheduler.run()
            #expect(table.state.rows.map(\.count) == expected)
        }
        let table = table(Feature(reducer: Self.counting).lifted(byEach: Self.byKey))
        table.sendEvent(.every(2))
        scheduler.run()
        #expect(table.state.named.mapValues(\.count) == ["a": 4, "b": 2])
        #expect(table.state.rows.map(\.count) == [0, 0, 0])
    }

    @Test(
        "SR-35: an event for all that takes time runs for one element after the other, each on the previous result"
    )
    func inTime() {
        let slow = Reducer<Row, Int> { row, add in
            var next = row
            next.count += add
            return Promise.value(next).delay(.seconds(row.id)).stateWhenLoading(Row(id: row.id, count: -1))
        }
        let table = table(Feature(reducer: slow).lifted(byEach: Self.byID))
        let token = table.shown.subscribe { [log, scheduler] shown in
            log.add("\(scheduler.now.components.seconds) s: \(shown.state.rows.map(\.count))")
        }
        table.sendEvent(.every(5))
        scheduler.run()
        #expect(
            log.entries == [
                "0 s: [0, 0, 0]", "0 s: [-1, 0, 0]", "3 s: [5, -1, 0]", "4 s: [5, 5, -1]", "6 s: [5, 5, 5]",
            ])
        token.cancel()
    }

    @Test(
        "SR-35: the feedbacks of every element receive it, and the events that they send carry the identity")
    func feedbacks() {
        let answering = Feedback<Row, Int>.onEvent({ $0 > 0 ? $0 : nil }) { [log] add in
            Effect { effect in
                log.add("asked")
                effect.finish(sending: -add)
            }
        }
        let table = table(Feature(reducer: Self.counting, feedbacks: [answering]).lifted(byEach: Self.byID))
        table.onLoop { [log] in log.add("\($0.event)") }
        table.sendEvent(.every(5))
        scheduler.run()
        #expect(
            log.entries == [
                "asked", "asked", "asked", "every(5)", "row(3, -5)", "row(1, -5)", "row(2, -5)",
            ])
        #expect(table.state.rows.map(\.count) == [0, 0, 0])
    }

    @Test("SR-35: an event for all restarts the work of every element that restarts with its own events")
    func own() {
        let lensing = Feedback<Row, Int>.lensing(state: { $0.id }) { [log] id in
            Effect { _ in log.add("\(id)") }
        }
        let table = table(Feature(feedbacks: [lensing]).lifted(byEach: Self.byID))
        for event in [Event.other, .every(0), .row(1, 0)] { table.sendEvent(event) }
        scheduler.run()
        #expect(log.entries == ["3", "1", "2", "3", "1", "2", "1"])
    }

    @Test("SR-35: middleware of every element is called; one that stops the event stops it for all")
    func middleware() {
        let guarding = Middleware<Row, Int>(
            before: { [log] event, row in
                log.add("before \(row.state.id)")
                return event > 5 && row.state.id == 1 ? .stop : .pass
            }, after: { [log] _, row in log.add("after \(row.state.id): \(row.state.count)") })
        let table = table(Feature(reducer: Self.counting, middleware: guarding).lifted(byEach: Self.byID))
        table.sendEvent(.every(9))
        scheduler.run()
        #expect(log.take() == ["before 3", "before 1"])
        #expect(table.state == Table())
        table.sendEvent(.every(1))
        scheduler.run()
        #expect(
            log.entries == ["before 3", "before 1", "before 2", "after 3: 3", "after 1: 1", "after 2: 2"])
    }

    @Test("SR-35: middleware of an element does not replace an event for all, but replaces one of its own")
    func replacing() {
        let doubling = Middleware<Row, Int>(before: { [log] event, row in
            log.add("\(row.state.id) before \(event)")
            return .replace(event * 2)
        })
        let table = table(Feature(reducer: Self.counting, middleware: doubling).lifted(byEach: Self.byID))
        table.sendEvent(.every(1))
        scheduler.run()
        // All elements are asked, the first one's answer notwithstanding.
        #expect(log.take() == ["3 before 1", "1 before 1", "2 before 1"])
        #expect(table.state.rows.map(\.count) == [3, 1, 2])
        table.sendEvent(.row(1, 2))
        scheduler.run()
        #expect(log.take() == ["1 before 2"])
        #expect(table.state.rows.map(\.count) == [3, 5, 2])
    }

    @Test(
        "SR-35: dictionary values are called in the order of their keys; two elements of one identity as one")
    func order() {
        struct Shelf: Sendable {
            var named = Dictionary(uniqueKeysWithValues: "hgfedcba".map { ("\($0)", Row(id: 0)) })
            var rows = [Row(id: 1), Row(id: 1), Row(id: 2)]
        }
        let asking = Middleware<Row, Int>(before: { [log] _, row in
            log.add("\(row.state.id)")
            return .pass
        })
        let naming = Middleware<Row, Int>(after: { [log] _, row in log.add("\(row.state.count)") })
        let slow = Reducer<Row, Int> { [log] row, add in
            log.add("reduced")
            return Promise.value(Row(id: row.id, count: add)).delay(.seconds(1))
        }
        var shelf = Shelf()
        for (number, key) in shelf.named.keys.sorted().enumerated() { shelf.named[key]?.count = number }
        let byKey = Elements(keyedIn: \Shelf.named, event: Self.named, all: Self.every)
        let byID = Elements(in: \Shelf.rows, event: Self.row, all: Self.every)
        let system = System(
            initialState: shelf, scheduler: scheduler,
            feature: Feature(middleware: naming).lifted(byEach: byKey)
                <> Feature(reducer: slow, middleware: asking).lifted(byEach: byID))
        system.sendEvent(.every(5))
        scheduler.run()
        #expect(log.entries == ["1", "2", "reduced", "reduced"] + (0..<8).map { "\($0)" })
        #expect(system.state.rows.map(\.count) == [5, 0, 5])
    }

    @Test("SR-35: work that an event for all started ends with its element") func ends() {
        let working = Feedback<Row, Int>.onEvent({ $0 }) { [log] _ in
            Effect { effect in
                log.add("+")
                effect.onCancel { log.add("-") }
            }
        }
        let removing = Reducer<Table, Event> { table, event in if event == .other { table.rows = [] } }
        let table = table(
            Feature(reducer: removing) <> Feature(feedbacks: [working]).lifted(byEach: Self.byID))
        table.sendEvent(.every(5))
        scheduler.run()
        #expect(log.take() == ["+", "+", "+"])
        table.sendEvent(.other)
        scheduler.run()
        #expect(log.entries == ["-", "-", "-"])
    }
}
