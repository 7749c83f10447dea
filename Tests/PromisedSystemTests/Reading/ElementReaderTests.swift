import Promise
import PromisedSystem
import PromisedTesting
import Synchronization
import TestSupport
import Testing

/// Subscribers of the elements of a collection, which are notified together.
@Suite(.oneAtATime, .tags(.sharedState)) struct ElementReaderTests {
    /// Counts how often two elements are compared.
    struct Row: Sendable, Identifiable, Equatable {
        let id: Int
        var text = ""
        var weight = 0.0

        @TaskLocal static var comparisons: SharedCount?

        static func == (left: Row, right: Row) -> Bool {
            comparisons?.add(1)
            return left.id == right.id && left.text == right.text && left.weight == right.weight
        }
    }

    struct Table: Sendable {
        var title = ""
        var rows: [Row] = []
        var named: [String: Row] = [:]
    }

    typealias Change = @Sendable (inout Table) -> Void
    typealias Tables = System<Table, Change>

    private func table(_ ids: some Sequence<Int>, _ scheduler: some SerialScheduler = .immediate) -> Tables {
        Tables(
            initialState: Table(rows: ids.map { Row(id: $0) }), scheduler: scheduler,
            reducer: Reducer<Table, Change> { table, change in change(&table) })
    }

    private static func row(_ id: Int) -> Scope<Table, Change, Row?, Int> {
        Scope(id: id, in: \Table.rows, event: CasePath(embed: { _ in { _ in } }, extract: { _ in nil }))
    }

    private static func place(_ place: Int) -> Scope<Table, Change, Row?, Int> {
        Scope(index: place, in: \Table.rows, event: CasePath(embed: { _ in { _ in } }, extract: { _ in nil }))
    }

    private static func named(_ key: String) -> Scope<Table, Change, Row?, Int> {
        Scope(key: key, in: \Table.named, event: CasePath(embed: { _ in { _ in } }, extract: { _ in nil }))
    }

    private func read(
        _ table: Tables, _ scope: Scope<Table, Change, Row?, Int>, _ name: String, _ log: Log<String>
    ) -> SubscriptionToken {
        table.scoped(by: scope).settled.subscribe { log.add("\(name) \($0?.text ?? "gone")") }
    }

    @Test("SR-32: with a thousand rows subscribed to, a change notifies one, and compares no other")
    func onlyWhatChanged() {
        let (table, told, comparisons) = (table(0..<1_000), SharedCount(), SharedCount())
        let tokens = (0..<1_000).map { id in
            table.scoped(by: Self.row(id)).settled.subscribe(replayCurrent: false) { _ in told.add(1) }
        }
        table.sendEvent { $0.title = "first" }
        Row.$comparisons.withValue(comparisons) {
            for number in 1...10 { table.sendEvent { $0.rows[500].text = "\(number)" } }
            table.sendEvent { $0.title = "second" }
        }
        #expect(told.value == 10)
        #expect(comparisons.value == 10)
        withExtendedLifetime(tokens) {}
    }

    @Test(
        "SR-31, SR-35: inserting, moving and removing elements notifies the subscribers of those that changed once"
    )
    func moved() {
        let (table, log) = (table([1, 2, 3]), Log<String>())
        let tokens = [1, 2, 3, 4].map { read(table, Self.row($0), "\($0)", log) }
        _ = log.take()
        table.sendEvent { $0.rows.insert(Row(id: 4, text: "new"), at: 0) }
        table.sendEvent { $0.rows.swapAt(0, 3) }
        table.sendEvent { $0.rows.shuffle() }
        #expect(log.entries == ["4 new"])
        table.sendEvent { table in
            table.rows.removeAll { $0.id == 2 }
            for index in table.rows.indices where table.rows[index].id == 3 { table.rows[index].text = "x" }
        }
        #expect(log.entries == ["4 new", "2 gone", "3 x"])
        table.sendEvent { $0.rows = (1...9).reversed().map { Row(id: $0, text: "all") } }
        #expect(log.entries.dropFirst(3) == ["1 all", "2 all", "3 all", "4 all"])
        withExtendedLifetime(tokens) {}
    }

    @Test("SR-31, SR-35: elements are read by place and by key") func otherWays() {
        let (table, log) = (table([1, 2]), Log<String>())
        let tokens = [
            read(table, Self.place(1), "second", log), read(table, Self.place(2), "third", log),
            read(table, Self.named("a"), "a", log), read(table, Self.named("b"), "b", log),
        ]
        _ = log.take()
        table.sendEvent { $0.rows[0].text = "x" }
        table.sendEvent { $0.rows.insert(Row(id: 7, text: "y"), at: 0) }
        table.sendEvent { $0.named["b"] = Row(id: 1, text: "z") }
        table.sendEvent { $0.named["b"] = nil }
        #expect(log.entries == ["second x", "third ", "b z", "b gone"])
        withExtendedLifetime(tokens) {}
    }

    @Test("SR-31: elements are read in a part of the whole, and in a part of a scoped system") func nested() {
        struct Whole: Sendable { var table = Table(rows: [Row(id: 1), Row(id: 2)]), other = 0 }
        let system = System<Whole, @Sendable (inout Whole) -> Void>(
            initialState: Whole(), scheduler: .immediate,
            reducer: Reducer { whole, change in change(&whole) })
        let part = Scope<Whole, @Sendable (inout Whole) -> Void, Table, Change>(
            get: \.table, modify: { $1(&$0.table) }, extract: { _ in nil },
            embed: { change in { change(&$0.table) } })
        let (table, log) = (system.scoped(by: part), Log<String>())
        let tokens = [1, 2].map { id in
            table.scoped(by: Self.row(id)).settled.subscribe { log.add("\(id) \($0?.text ?? "gone")") }
        }
        system.sendEvent { $0.other = 1 }
        table.sendEvent { $0.rows[1].text = "x" }
        #expect(log.entries == ["1 ", "2 ", "2 x"])
        withExtendedLifetime(tokens) {}
    }

    @Test("SR-32: a value not equal to itself is delivered when its bits change, and not repeatedly")
    func nan() {
        let (table, log) = (table([1]), Log<String>())
        let token = read(table, Self.row(1), "1", log)
        table.sendEvent { $0.rows[0].weight = .nan }
        for number in 0..<3 { table.sendEvent { $0.title = "\(number)" } }
        #expect(log.entries == ["1 ", "1 "])
        // Zeros of different sign have different bits, and are equal.
        table.sendEvent { $0.rows[0].weight = 0 }
        table.sendEvent { $0.rows[0].weight = -0.0 }
        #expect(log.entries.count == 3)
        token.cancel()
    }

    @Test(
        "SA-09: a subscriber that leaves during a delivery receives nothing more; one that joins receives what follows"
    )
    func inside() {
        let (table, log) = (table([1, 2]), Log<String>())
        let (second, third) = (Box<SubscriptionToken?>(nil), Box<SubscriptionToken?>(nil))
        let first = table.scoped(by: Self.row(1)).settled.subscribe(replayCurrent: false) { row in
            log.add("1 \(row?.text ?? "gone")")
            second.value?.cancel()
            if third.value == nil { third.value = self.read(table, Self.row(2), "third", log) }
        }
        second.value = read(table, Self.row(2), "second", log)
        table.sendEvent { for index in $0.rows.indices { $0.rows[index].text = "x" } }
        table.sendEvent { $0.rows[1].text = "y" }
        #expect(log.entries == ["second ", "1 x", "third x", "third y"])
        third.value = nil
        first.cancel()
    }

    @Test("subscribing and unsubscribing inside a reducer takes effect after it, without a deadlock")
    func insideReducer() {
        let (table, log, tokens) = (table([1, 2]), Log<String>(), Log<SubscriptionToken>())
        table.sendEvent { [self] state in
            tokens.add(read(table, Self.row(1), "1", log))
            tokens.add(read(table, Self.row(2), "2", log))
            tokens.entries[1].cancel()
            state.rows[0].text = "a"
        }
        table.sendEvent { for index in $0.rows.indices { $0.rows[index].text = "b" } }
        #expect(log.entries.filter { $0.hasPrefix("1") } == ["1 a", "1 b"])
        #expect(!log.entries.contains("2 b"))
    }

    @Test("SR-50: a subscription that another thread cancels before it is active receives nothing")
    func cancelledBeforeArrival() {
        let (table, log) = (table([1]), Log<String>())
        table.sendEvent { [self] state in
            let token = Box<SubscriptionToken?>(read(table, Self.row(1), "1", log))
            holding { token.value?.cancel() }
            state.rows[0].text = "a"
        }
        table.sendEvent { $0.rows[0].text = "b" }
        #expect(log.entries == [])
    }

    @Test("the scope of a part may read the system without a deadlock") func lookingAround() {
        let table = table([1])
        let part = Scope<Table, Change, Table, Change>(
            get: { [weak table] in
                _ = table?.state
                return $0
            }, modify: { $1(&$0) }, extract: { $0 }, embed: { $0 })
        let log = Log<String>()
        let token = table.scoped(by: part.appending(Self.row(1))).settled.subscribe {
            log.add($0?.text ?? "gone")
        }
        table.sendEvent { $0.rows[0].text = "x" }
        #expect(log.entries == ["", "x"])
        token.cancel()
    }

    @Test("SR-50: what a subscriber captures is released with its token, or with the system")
    func lifetime() async {
        var system: Tables? = table([1])
        weak var kept: SharedCount?
        weak var left: SharedCount?
        let tokens: [SubscriptionToken] = {
            let (first, second) = (SharedCount(), SharedCount())
            (kept, left) = (first, second)
            let row = system?.scoped(by: Self.row(1)).settled
            return [first, second].compactMap { count in row?.subscribe { _ in count.add(1) } }
        }()
        #expect(kept?.value == 1)
        tokens[1].cancel()
        #expect(left == nil)
        system = nil
        #expect(kept == nil)
        withExtendedLifetime(tokens) {}
    }

    @Test("the sequence of an element ends with the system") func end() async {
        var system: Tables? = table([1])
        let values = system?.scoped(by: Self.row(1)).settled.values
        system?.sendEvent { $0.rows[0].text = "x" }
        system = nil
        var texts: [String] = []
        if let values { for await row in values { texts.append(row?.text ?? "gone") } }
        #expect(texts == ["", "x"])
    }

    @Test(
        "subscribers of elements that come and go on eight threads miss no value and receive none twice")
    func comingAndGoing() async {
        struct Count: Sendable, Equatable, Identifiable {
            let id: Int
            var number = 0
        }
        struct Counts: Sendable, Equatable { var all = (0..<16).map { Count(id: $0) } }
        struct Whole: Sendable { var counts = Counts() }
        let scheduler = QueueScheduler.serial("elements")
        let elements = Elements(
            in: \Counts.all, event: CasePath<Int, (Int, Int)>(embed: { $0.0 }, extract: { ($0, 1) }))
        let counts = Scope(state: \Whole.counts, event: CasePath<Int, Int>.identity())
        let counting = Reducer<Count, Int> { count, add in count.number += add }
        let system = System(
            initialState: Whole(), scheduler: scheduler,
            reducer: counting.lifted(byEach: elements).lifted(by: counts))
        let (trouble, isOver) = (Log<String>(), Switch())
        let total = rounds(500, stress: 1_500)
        async let sending: Void = onThread {
            for round in 0..<total { system.sendEvent(round % 16) }
            isOver.turnOn()
        }
        await onThreads(8) { thread in
            var round = thread
            while !isOver.isOn || round < thread + 50 {
                let last = Box<Int?>(nil)
                let row = elements.scope(of: round % 16)
                // By one composed scope, or step by step.
                let count =
                    round.isMultiple(of: 2)
                    ? system.scoped(by: counts.appending(row)) : system.scoped(by: counts).scoped(by: row)
                let token = count.settled.subscribe { count in
                    let number = count?.number ?? -1
                    if let before = last.exchange(number), number != before + 1 {
                        trouble.add("\(before), then \(number)")
                    }
                }
                if last.value == nil { trouble.add("no present value") }
                if round.isMultiple(of: 3) { scheduler.schedule { token.cancel() } }
                round += 1
            }
        }
        await sending
        await scheduler.caughtUp()
        #expect(trouble.entries == [])
        #expect(system.state.counts.all.map(\.number).reduce(0, +) == total)
    }
}
