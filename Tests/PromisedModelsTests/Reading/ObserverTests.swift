import Observation
import PromisedModels
import PromisedTesting
import Testing

/// Which observers a write notifies, and how often.
struct ObserverTests {
    @Test("OS-14: an observer of a property inside of a child's state is notified of the child's write")
    func nested() {
        let fixture = Fixture<App>(.rows(1))
        let (row, notes) = (fixture.model.rows[0], fixture.notes)
        let token = row.source(of: \.counter.count).subscribe(replayCurrent: false) { notes.add("\($0)") }
        #expect(fixture.after { _ in row.counter.increment() } == ["1"])
        #expect(fixture.after { _ in row.counter.state.other = 1 } == [])
        #expect(fixture.after { _ in row.state.counter = .init(count: 5) } == ["5"])
        token.cancel()
    }

    @Test("OS-13: an observer in generic code leaves the others unnotified of equal values")
    func generic() {
        let fixture = Fixture<Counter>(.init())
        let (counter, notes) = (fixture.model, fixture.notes)
        func observe<Value: Sendable>(_ path: any KeyPath<Counter.State, Value> & Sendable)
            -> SubscriptionToken
        {
            counter.source(of: path).subscribe(replayCurrent: false) { notes.add("generic \($0)") }
        }
        let tokens = [
            observe(\.count),
            counter.source(of: \.count).subscribe(replayCurrent: false) { notes.add("\($0)") },
        ]
        #expect(fixture.after { $0.state.update { $0.other = 1 } } == [])
        #expect(fixture.after { $0.increment() } == ["generic 1", "1"])
        withExtendedLifetime(tokens) {}
    }

    @Test("OS-14: an observer is notified of a write two levels below, whatever the places on the way are")
    func secondPlace() {
        let fixture = Fixture<Pair>(.init())
        let (pair, notes) = (fixture.model, fixture.notes)
        let token = pair.source(of: \.right.counter.count).subscribe(replayCurrent: false) {
            notes.add("\($0)")
        }
        #expect(fixture.after { $0.right.counter.increment() } == ["1"])
        token.cancel()
    }

    @Test("OS-13: a transaction notifies an observer of what cannot be compared once")
    func uncomparable() {
        struct Total: Sendable { let value: Int }
        struct Ledger: Model {
            struct State: Equatable {
                var one = Counter.State()
                var two = Counter.State()
                var total: Total { Total(value: one.count + two.count) }
            }
            let context: ModelContext<Ledger>
            static let children: [Child<Ledger>] = [.one(\.one, Counter.self), .one(\.two, Counter.self)]
            var one: Counter { child(\.one) }
            var two: Counter { child(\.two) }
        }
        let fixture = Fixture<Ledger>(.init())
        let notes = fixture.notes
        let token = fixture.model.source(of: \.total).subscribe(replayCurrent: false) {
            notes.add("\($0.value)")
        }
        let heard = fixture.after { ledger in
            ledger.transaction {
                ledger.one.increment()
                ledger.two.increment()
            }
        }
        #expect(heard == ["2"])
        token.cancel()
    }

    @Test("OS-13: a transaction that writes two properties of a model notifies the observers of both")
    func twoProperties() {
        let fixture = Fixture<Counter>(.init())
        let (counter, notes) = (fixture.model, fixture.notes)
        let tokens = [
            counter.source(of: \.count).subscribe(replayCurrent: false) { notes.add("count \($0)") },
            counter.source(of: \.other).subscribe(replayCurrent: false) { notes.add("other \($0)") },
        ]
        let heard = fixture.after { counter in
            counter.transaction {
                counter.state.count = 1
                counter.state.other = 2
            }
        }
        #expect(heard.sorted() == ["count 1", "other 2"])
        for token in tokens { token.cancel() }
    }

    @Test("The observers of the root and of what is below it are notified when the whole state is replaced")
    func replacement() {
        let fixture = Fixture<App>(.rows(1))
        let (app, notes) = (fixture.model, fixture.notes)
        let tokens = [
            app.source(of: \.title).subscribe(replayCurrent: false) { notes.add("app \($0)") },
            app.rows[0].source(of: \.title).subscribe(replayCurrent: false) { notes.add("row \($0)") },
        ]
        var state = App.State(rows: [.init(id: 1, title: "b")])
        state.title = "a"
        let heard = fixture.after { _ in fixture.store.replace(state) }
        #expect(heard.sorted() == ["app a", "row b"])
        for token in tokens { token.cancel() }
    }

    @Test("An observer that is added between a write and its notification does not repeat that for others")
    func secondObserver() {
        let fixture = Fixture<Counter>(.init())
        let (counter, notes) = (fixture.model, fixture.notes)
        _ = notes.take()
        let one = counter.source(of: \.count).subscribe(replayCurrent: false) { notes.add("one \($0)") }
        counter.increment()
        let other = counter.source(of: \.count).subscribe(replayCurrent: false) { _ in }
        fixture.scheduler.advance()
        #expect(notes.take() == ["one 1"])
        one.cancel()
        other.cancel()
    }

    @Test("An observer of a model goes on when another one of that model has ended")
    func otherObserver() {
        let fixture = Fixture<App>(.rows(1))
        let (row, notes) = (fixture.model.rows[0], fixture.notes)
        let title = row.source(of: \.title).subscribe(replayCurrent: false) { notes.add($0) }
        let count = row.source(of: \.counter.count).subscribe(replayCurrent: false) { notes.add("\($0)") }
        title.cancel()
        #expect(fixture.after { $0.state.rows[0].title = "x" } == [])
        #expect(fixture.after { $0.state.rows[0].counter.count = 5 } == ["5"])
        count.cancel()
    }

    @Test("OS-26: what is called with later values is not called with the present one")
    func onlyLater() {
        let fixture = Fixture<Counter>(.init(count: 3))
        let notes = fixture.notes
        _ = notes.take()
        fixture.model.onChange(of: \.count) { notes.add("\($0)") }
        fixture.scheduler.advance()
        #expect(notes.take() == [])
        #expect(fixture.after { $0.increment() } == ["4"])
    }

    @Test("OS-52: a narrowed handle has no value that is equal to the one before")
    func narrowed() {
        let fixture = Fixture<App>(.rows(1))
        let (row, notes) = (fixture.model.rows[0], fixture.notes)
        row.forEach(row.context.reader(\.counter).count.values) { notes.add("\($0)") }
        #expect(fixture.after { _ in } == ["0"])
        #expect(fixture.after { _ in row.counter.state.other = 1 } == [])
        #expect(fixture.after { _ in row.counter.increment() } == ["1"])
    }

    @Test("A reader in generic code is not notified of a write that leaves its property equal")
    func genericReader() {
        let fixture = Fixture<Counter>(.init())
        let counter = fixture.model
        func read<Value: Sendable>(_ path: any KeyPath<Counter.State, Value> & Sendable) -> Value {
            counter[dynamicMember: path]
        }
        let count = Box(0)
        _ = withObservationTracking {
            read(\.count)
        } onChange: {
            count.change { $0 += 1 }
        }
        fixture.after { $0.state.update { $0.other = 1 } }
        #expect(count.value == 0)
        fixture.after { $0.increment() }
        #expect(count.value == 1)
    }
}
