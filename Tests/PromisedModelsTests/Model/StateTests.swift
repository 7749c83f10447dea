import PromisedModels
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct StateTests {
    @Test("OS-01: two models over one state see each other's writes")
    func sharedState() {
        let fixture = Fixture<Counter>(.init())
        let (one, other) = (fixture.model, fixture.model)
        one.increment()
        #expect(other.count == 1)
    }

    @Test("OS-02, OS-08: a child's write changes the state of the store")
    func childWrites() {
        let fixture = Fixture<App>(.rows(1))
        fixture.model.rows[0].counter.increment()
        #expect(fixture.store.state.rows[0].counter.count == 1)
        #expect(fixture.model.rows[0].counter.count == 1)
    }

    @Test("OS-03: properties are read through the model, and an optional part is nil")
    func reads() {
        let fixture = Fixture<App>(.rows(4))
        #expect(fixture.model.rows[0].title == "")
        #expect(fixture.model.sheet == nil)
        #expect(fixture.model.rows[0].id == 4)
    }

    @Test("OS-04: a model of a removed state reads its last state, and its writes change nothing")
    func removedState() {
        let fixture = Fixture<App>(.rows(1, 2))
        let row = fixture.model.rows[0]
        row.state.title = "last"
        fixture.model.state.rows.remove(at: 0)
        let before = fixture.store.state
        row.state.title = "late"
        row.counter.increment()
        #expect(fixture.store.state == before)
        #expect(row.title == "last")
        #expect(row.counter.count == 0)
        #expect(!row.context.isActive)
    }

    @Test("OS-12: a derived property is read through the model")
    func derived() {
        let fixture = Fixture<App>(.rows(1, 2))
        fixture.model.rows[1].counter.increment()
        #expect(fixture.model.sum == 1)
    }

    @Test("OS-13: a transaction is one change for observers, and none if it throws")
    func transactions() throws {
        let fixture = Fixture<App>(.rows(1))
        let seen = Box<[App.State]>([])
        let token = fixture.store.states.subscribe(replayCurrent: false) { state in
            seen.change { $0.append(state) }
        }
        fixture.model.transaction {
            fixture.model.state.title = "a"
            fixture.model.rows[0].counter.increment()
            fixture.model.state.title = "b"
        }
        fixture.scheduler.advance()
        #expect(seen.value.map(\.title) == ["b"])
        let before = fixture.store.state
        #expect(throws: Failure.self) {
            try fixture.model.transaction {
                fixture.model.state.title = "c"
                fixture.model.rows[0].counter.increment()
                #expect(fixture.model.title == "c")
                throw Failure()
            }
        }
        fixture.scheduler.advance()
        #expect(fixture.store.state == before)
        #expect(seen.value.count == 1)
        token.cancel()
    }

    @Test("A transaction that adds and removes children begins and ends them when it is over")
    func transactionOfStructure() {
        let fixture = Fixture<App>(.rows(1, 2))
        let two = fixture.model.rows[1]
        let notes = fixture.after { app in
            app.transaction {
                app.state.rows.append(.init(id: 3))
                app.state.rows.removeAll { $0.id == 1 }
                two.state.title = "two"
                #expect(app.rows.count == 2)
            }
        }
        #expect(
            notes == ["-counter", "-row 1", "+row 3", "+counter"]
                || notes == ["+row 3", "+counter", "-counter", "-row 1"])
        #expect(fixture.store.state.rows.map(\.id) == [2, 3])
        #expect(two.title == "two")
        #expect(fixture.model.rows.map(\.id) == [2, 3])
    }

    @Test("A change of several properties by update is seen as one, and not at all if it throws")
    func update() {
        let fixture = Fixture<Counter>(.init())
        let seen = Box<[Counter.State]>([])
        let token = fixture.store.states.subscribe(replayCurrent: false) { state in
            seen.change { $0.append(state) }
        }
        let result = fixture.model.state.update { state in
            (state.count, state.other) = (3, 4)
            return state.count + state.other
        }
        #expect(throws: Failure.self) {
            try fixture.model.state.update { state in
                state.count = 9
                throw Failure()
            }
        }
        fixture.scheduler.advance()
        #expect(result == 7)
        #expect(seen.value == [.init(count: 3, other: 4)])
        token.cancel()
    }

    @Test("OS-22: writers on several threads lose no update")
    func threads() async {
        let fixture = Fixture<App>(.rows(1, 2))
        let counters = fixture.model.rows.map(\.counter)
        await withTaskGroup { group in
            for index in 0..<8 {
                group.addTask { for _ in 0..<1_000 { counters[index % 2].increment() } }
            }
        }
        #expect(fixture.model.sum == 8_000)
    }
}

struct Failure: Error {}
