import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// The forms for the elements of a collection, each with an array, an identified array and a dictionary of rows.
@Suite struct RowContainerTests {
    /// A type of container, as the argument of a test.
    struct Kind: Sendable, CustomTestStringConvertible {
        let type: any RowContainer.Type
        var testDescription: String { "\(type)".prefix { $0 != "<" }.description }

        static let all = [
            Kind(type: [CountedRow].self), Kind(type: IdentifiedArray<CountedRow>.self),
            Kind(type: [CountedID: CountedRow].self),
        ]
    }

    private static let counting = Reducer<CountedRow, Int> { row, add in row.count += add }

    private static func changing<Rows: RowContainer>() -> Reducer<Rows.Table, Rows.Event> {
        Reducer { table, event in if case .change(let change) = event { change(&table.rows) } }
    }

    private static func system<Rows: RowContainer>(
        _ ids: some Sequence<Int>, of _: Rows.Type, _ scheduler: some SerialScheduler = .immediate,
        _ feedbacks: Feedback<CountedRow, Int>...
    ) -> System<Rows.Table, Rows.Event> {
        let rows = Rows(ids.map { CountedRow(id: CountedID($0)) })
        return System(
            initialState: RowTable(rows: rows), scheduler: scheduler,
            feature: Feature(reducer: changing())
                <> Feature(reducer: counting, feedbacks: feedbacks).lifted(byEach: Rows.elements))
    }

    private let scheduler = TestScheduler()
    private let log = Log<String>()

    private func counts<Rows: RowContainer>(of system: System<Rows.Table, Rows.Event>) -> [String] {
        system.state.rows.all.map { "\($0.id): \($0.count)" }
    }

    @Test(
        "SR-35: a row gets its own events and those for all; one for a missing row changes none",
        arguments: Kind.all)
    func reduced(kind: Kind) {
        func check<Rows: RowContainer>(_: Rows.Type) {
            let system = Self.system([1, 2, 3], of: Rows.self)
            for event: Rows.Event in [.row(2, 5), .row(9, 1), .every(10), .row(3, 1)] {
                system.sendEvent(event)
            }
            #expect(counts(of: system) == ["1: 10", "2: 15", "3: 11"])
            system.sendEvent(.change { $0.swap(0, 2) })
            for event: Rows.Event in [.row(1, 1), .row(3, 1)] { system.sendEvent(event) }
            #expect(counts(of: system).sorted() == ["1: 11", "2: 15", "3: 12"])
        }
        check(kind.type)
    }

    @Test(
        "SR-35: a reducer of a row that takes time changes that row, one row after the other",
        arguments: Kind.all)
    func slowly(kind: Kind) {
        func check<Rows: RowContainer>(_: Rows.Type) {
            let slow = Reducer<CountedRow, Int> { row, add in
                var next = row
                next.count += add
                return Promise.value(next).delay(.seconds(1))
            }
            let system = System<Rows.Table, Rows.Event>(
                initialState: RowTable(rows: Rows([1, 2].map { CountedRow(id: $0) })), scheduler: scheduler,
                reducer: slow.lifted(byEach: Rows.elements))
            for event: Rows.Event in [.row(2, 5), .row(9, 1), .every(10)] { system.sendEvent(event) }
            scheduler.run()
            #expect(counts(of: system) == ["1: 10", "2: 15"])
            #expect(scheduler.now == .seconds(3))
        }
        check(kind.type)
    }

    @Test(
        "SR-31, SR-35: a subscriber follows its row when rows are inserted, exchanged, replaced and removed",
        arguments: Kind.all)
    func followed(kind: Kind) {
        func check<Rows: RowContainer>(_: Rows.Type) {
            let system = Self.system([1, 2, 3], of: Rows.self)
            let tokens = [1, 2, 3, 4].map { id in
                system.scoped(by: Rows.scope(CountedID(id))).settled.subscribe(replayCurrent: false) {
                    [log] in
                    log.add("\(id): \($0.map { "\($0.count)" } ?? "gone")")
                }
            }
            let changes: [(@Sendable (inout Rows) -> Void, expected: [String])] = [
                ({ $0.swap(0, 2) }, []),
                ({ $0.insertFirst(CountedRow(id: 4, count: 7)) }, ["4: 7"]),
                ({ $0[id: 2] = CountedRow(id: 2, count: 8) }, ["2: 8"]),
                ({ $0[id: 4] = nil }, ["4: gone"]),
                ({ $0[id: 1]?.count = 9 }, ["1: 9"]),
                ({ $0 = Rows([3, 2].map { CountedRow(id: $0, count: 6) }) }, ["1: gone", "2: 6", "3: 6"]),
            ]
            for (change, expected) in changes {
                system.sendEvent(.change(change))
                #expect(log.take() == expected)
            }
            withExtendedLifetime(tokens) {}
        }
        check(kind.type)
    }

    @Test(
        "SR-35: the work of a row goes on while others come, go and change places, and ends with the row",
        arguments: Kind.all)
    func worked(kind: Kind) {
        func check<Rows: RowContainer>(_: Rows.Type) {
            let working = Feedback<CountedRow, Int>.onEvent({ $0 }) { [log] add in
                Effect { effect in
                    log.add("+\(add)")
                    effect.onCancel { log.add("-\(add)") }
                    effect.scheduler.schedule(after: .seconds(1)) { effect.finish(sending: 0) }
                }
            }
            let system = Self.system(1...3, of: Rows.self, scheduler, working)
            for event: Rows.Event in [
                .row(1, 100), .row(2, 200), .row(3, 300), .change { $0.swap(0, 2) },
                .change { $0.insertFirst(CountedRow(id: 4)) }, .change { $0[id: 2]?.count = 1 },
            ] { system.sendEvent(event) }
            scheduler.advance()
            #expect(log.take() == ["+100", "+200", "+300"])
            system.sendEvent(.change { $0[id: 1] = nil })
            scheduler.advance()
            #expect(log.take() == ["-100"])
            scheduler.advance(by: .seconds(1))
            #expect(log.take() == ["+0", "+0"])
            system.sendEvent(.change { $0 = Rows([]) })
            scheduler.run()
            #expect(log.entries == ["-0", "-0"])
        }
        check(kind.type)
    }

    @Test(
        "SR-44: the scope of a row changes it in place, and removes it when it is set to nil",
        arguments: Kind.all)
    func scoped(kind: Kind) {
        func check<Rows: RowContainer>(_: Rows.Type) {
            let setting = Reducer<CountedRow?, Rows.Event> { row, event in
                switch event {
                case .every(let add): row?.count += add
                case .row, .change: row = nil
                }
            }
            let system = System<Rows.Table, Rows.Event>(
                initialState: RowTable(rows: Rows([1, 2, 3].map { CountedRow(id: $0) })),
                scheduler: .immediate,
                reducer: setting.lifted(by: Rows.wholeScope(2)))
            system.sendEvent(.every(5))
            #expect(counts(of: system) == ["1: 0", "2: 5", "3: 0"])
            system.sendEvent(.row(2, 0))
            #expect(counts(of: system) == ["1: 0", "3: 0"])
            system.sendEvent(.every(5))
            #expect(counts(of: system) == ["1: 0", "3: 0"])
        }
        check(kind.type)
    }

    @Test("SR-35: middleware of a row receives its events and those for all", arguments: Kind.all)
    func middleware(kind: Kind) {
        func check<Rows: RowContainer>(_: Rows.Type) {
            let noting = Middleware<CountedRow, Int>(after: { [log] add, row in
                log.add("\(row.state.id) \(add)")
            })
            let system = System<Rows.Table, Rows.Event>(
                initialState: RowTable(rows: Rows([1, 2].map { CountedRow(id: $0) })), scheduler: .immediate,
                reducer: Self.counting.lifted(byEach: Rows.elements),
                middleware: noting.lifted(byEach: Rows.elements))
            for event: Rows.Event in [.row(2, 5), .row(9, 1), .every(3)] { system.sendEvent(event) }
            #expect(log.entries == ["2 5", "1 3", "2 3"])
        }
        check(kind.type)
    }

    @Test("an event to one of 10,000 rows looks at a few, also for work of a row and a subscriber of one")
    func cost() {
        typealias Rows = IdentifiedArray<CountedRow>
        let working = Feedback<CountedRow, Int>.onEvent({ $0 < 0 ? $0 : nil }) { _ in Effect<Int> { _ in } }
        let system = Self.system(0..<10_000, of: Rows.self, scheduler, working)
        let token = system.scoped(by: Rows.scope(5_000)).settled.subscribe(replayCurrent: false) {
            [log] row in log.add("\(row?.count ?? 0)")
        }
        system.sendEvent(.row(7_000, -1))
        scheduler.advance()
        for id in [0, 5_000, 9_999] {
            let uses = SharedCount()
            CountedID.$uses.withValue(uses) {
                system.sendEvent(.row(CountedID(id), 1))
                scheduler.advance()
            }
            // A few, and a few more where hash values collide.
            #expect((1...500).contains(uses.value))
        }
        #expect(log.entries == ["1"])
        token.cancel()
    }

    @Test("a row moved among 10,000 is found at its last place, or once by the table") func moved() {
        let system = Self.system(0..<10_000, of: IdentifiedArray<CountedRow>.self)
        let scope = system.scoped(by: IdentifiedArray<CountedRow>.scope(5_000)).settled
        let token = scope.subscribe { [log] row in log.add("\(row?.count ?? -1)") }
        system.sendEvent(.change { $0.insert(CountedRow(id: 10_000), at: 0) })
        let uses = SharedCount()
        CountedID.$uses.withValue(uses) { system.sendEvent(.row(3, 1)) }
        #expect((1...500).contains(uses.value))
        system.sendEvent(.row(5_000, 1))
        #expect(log.entries == ["0", "1"])
        token.cancel()
    }

    @Test("SR-35: a second row of an identity is refused, which is reported, and the first gets the events")
    func duplicates() {
        Reports.begin()
        let system = Self.system([471_101, 471_102], of: IdentifiedArray<CountedRow>.self)
        system.sendEvent(.change { $0.append(CountedRow(id: 471_102, count: 9)) })
        system.sendEvent(.row(471_102, 1))
        #expect(counts(of: system) == ["471101: 0", "471102: 1"])
        #expect(Reports.about("one with the identity 471102").count == 1)
    }

    @Test(
        "SR-35: a row that gets a free identity keeps its place; one that gets that of another row is removed"
    )
    func renamed() {
        Reports.begin()
        typealias Rows = IdentifiedArray<CountedRow>
        let renaming = Reducer<CountedRow, Int> { row, id in row.id = CountedID(id) }
        let system = System<Rows.Table, Rows.Event>(
            initialState: RowTable(rows: Rows([1, 2, 3].map { CountedRow(id: $0) })), scheduler: .immediate,
            reducer: renaming.lifted(byEach: Rows.elements))
        system.sendEvent(.row(2, 471_103))
        #expect(counts(of: system) == ["1: 0", "471103: 0", "3: 0"])
        system.sendEvent(.every(471_104))
        #expect(counts(of: system) == ["471104: 0"])
        #expect(Reports.about("one with the identity 471104").count == 2)
        system.sendEvent(.row(471_104, 5))
        #expect(counts(of: system) == ["5: 0"])
    }
}
