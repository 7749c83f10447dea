import Promise
import PromisedModels
import PromisedTesting
import Testing

/// Several models that are dependencies of one store, on its scheduler or on their own.
struct SeveralSharedModelsTests {
    struct Guest: Model {
        struct State: Equatable { var name = "" }
        let context: ModelContext<Guest>
        func onActivate() { note("+\(context.state.name)") }

        func nap() {
            task {
                try await dependency(\.clock).sleep(for: .seconds(1))
                note("\(context.state.name) awake")
            }
        }
    }

    enum First: DependencyKey {
        static var liveValue: Guest { Guest(initialState: .init()) }
    }

    enum Second: DependencyKey {
        static var liveValue: Guest { Guest(initialState: .init()) }
    }

    enum Third: DependencyKey {
        static var liveValue: Guest { Guest(initialState: .init()) }
    }

    @Test(
        "Shared models are activated in the order in which they are made, before those of the store",
        arguments: [false, true])
    func order(isOnScheduler: Bool) {
        let (scheduler, notes) = (TestScheduler(), Notes())
        let made = Box<Store<App>?>(nil)
        let make = {
            made.value = Store<App>(initialState: .init(), scheduler: scheduler) { values in
                values.notes = notes
                values[Second.self] = Guest(initialState: .init(name: "a"))
                values[First.self] = Guest(initialState: .init(name: "b"))
                values[Third.self] = Guest(initialState: .init(name: "c"))
            }
        }
        if isOnScheduler { scheduler.runAsCurrent(make) } else { make() }
        scheduler.advance()
        #expect(notes.value == ["+a", "+b", "+c", "+app"])
    }

    @Test("A shared model has the clock of the scheduler that it is on, and what else the store has")
    func clocks() {
        let own = TestScheduler()
        let fixture = Fixture<App>(.init()) { values in
            values[First.self] = Guest(initialState: .init(name: "first"))
            values[Second.self] = Guest(initialState: .init(name: "second"), scheduler: own)
        }
        let guests = [fixture.model.dependency(First.self), fixture.model.dependency(Second.self)]
        own.advance()
        for guest in guests { guest.nap() }
        for scheduler in [fixture.scheduler, own] { scheduler.advance() }
        _ = fixture.notes.take()
        own.advance(by: .seconds(1))
        #expect(fixture.notes.take() == ["second awake"])
        fixture.scheduler.advance(by: .seconds(1))
        #expect(fixture.notes.take() == ["first awake"])
    }
}
