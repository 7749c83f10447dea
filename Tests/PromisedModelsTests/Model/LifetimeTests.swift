import Promise
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct LifetimeTests {
    @Test("OS-05: dependencies of the store are set once, before the first activation")
    func dependencies() {
        let calls = Box(0)
        let fixture = Fixture<Counter>(.init()) { _ in calls.value += 1 }
        #expect(calls.value == 1)
        #expect(fixture.notes.value == ["+counter"])
    }

    @Test("OS-06: a store whose state arrives later is empty before, and what was written by then is lost")
    func delayed() {
        let (scheduler, notes) = (TestScheduler(), Notes())
        let state = Promise<Counter.State?>.value(Counter.State(count: 5)).delay(.seconds(1))
        let store = Store<Counter?>(delayedInitialState: state, scheduler: scheduler) { $0.notes = notes }
        scheduler.advance()
        #expect(store.model == nil)
        #expect(notes.value == [])
        scheduler.advance(by: .seconds(1))
        #expect(store.model?.count == 5)
        #expect(notes.value == ["+counter"])
    }

    @Test("OS-06: an array as the root is empty before")
    func delayedArray() {
        let scheduler = TestScheduler()
        let state = Promise<[Row.State]>.value([Row.State(id: 1)]).delay(.seconds(1))
        let store = Store<[Row]>(delayedInitialState: state, scheduler: scheduler)
        #expect(store.model.isEmpty)
        scheduler.advance(by: .seconds(1))
        #expect(store.model.map(\.id) == [1])
    }

    @Test("OS-07: a model with a store of its own keeps it, and its tasks end with the model")
    func ownStore() {
        let scheduler = TestScheduler()
        let notes = Notes()
        var model: Worker? = Worker(initialState: .init(), scheduler: scheduler) { $0.notes = notes }
        scheduler.advance()
        #expect(model?.ticks == 0)
        scheduler.advance(by: .seconds(2))
        #expect(model?.ticks == 2)
        model = nil
        scheduler.advance(by: .seconds(2))
        #expect(notes.value == ["cancelled"])
        scheduler.finish()
    }

    @Test("OS-30: a model is activated once for each lifetime of its state, parents first")
    func activation() {
        let fixture = Fixture<App>(.rows(1))
        #expect(fixture.notes.take() == ["+app", "+row 1", "+counter"])
        for _ in 0..<5 { _ = fixture.model.rows[0].counter.count }
        fixture.scheduler.advance()
        #expect(fixture.notes.take() == [])
        #expect(fixture.after { $0.state.rows = [] } == ["-counter", "-row 1"])
        #expect(fixture.after { $0.state.rows = [.init(id: 1)] } == ["+row 1", "+counter"])
    }

    @Test("OS-31: hooks run once, when the store is released or the handle is cancelled")
    func deactivation() {
        let (notes, scheduler) = (Notes(), TestScheduler())
        var store: Store<Counter>? = Store<Counter>(initialState: .init(), scheduler: scheduler) {
            $0.notes = notes
        }
        scheduler.advance()
        store?.model.onCancel { notes.add("hook") }
        let cancelled = store?.model.onCancel { notes.add("cancelled") }
        cancelled?.cancel()
        cancelled?.cancel()
        scheduler.advance()
        #expect(notes.take() == ["+counter", "cancelled"])
        store = nil
        scheduler.advance()
        #expect(notes.take() == ["hook", "-counter"])
    }

    @Test("OS-31: the last hook has the dependencies that were overridden above its model")
    func dependenciesAtTheEnd() {
        let (fixture, other) = (Fixture<App>(.rows(1)), Notes())
        fixture.model.rows[0].override(\.notes, with: other)
        #expect(fixture.after { $0.state.rows = [] } == [])
        #expect(other.value == ["-counter", "-row 1"])
    }

    @Test("OS-31, OS-48: the last hook has the nearest of several overrides above its model")
    func nearestDependencyAtTheEnd() {
        let (fixture, outer, inner) = (Fixture<App>(.rows(1)), Notes(), Notes())
        fixture.model.override(\.notes, with: outer)
        fixture.model.rows[0].override(\.notes, with: inner)
        #expect(fixture.after { $0.state.rows = [] } == [])
        #expect(outer.value == [])
        #expect(inner.value == ["-counter", "-row 1"])
    }

    @Test("OS-65: a reference to a model whose state was removed has none, though the store is held")
    func referenceToRemoved() {
        let fixture = Fixture<App>(.rows(1))
        let reference = ModelReference(fixture.model.rows[0])
        #expect(reference.model?.id == 1)
        fixture.after { $0.state.rows = [] }
        #expect(reference.model == nil)
    }

    @Test("OS-31: a state that has gone before it was activated is not deactivated")
    func neverActivated() {
        let fixture = Fixture<App>(.init())
        // Not on the scheduler, so that nothing is performed between the two.
        #expect(
            fixture.after { app in
                app.state.rows = [.init(id: 1)]
                app.state.rows = []
            } == [])
    }

    @Test("OS-32: a state that changes its identity ends, and another begins")
    func identity() {
        let fixture = Fixture<App>(.rows(1, 5))
        let first = fixture.model.rows[0]
        #expect(fixture.after { $0.rows[0].state.id = 2 } == ["-counter", "-row 1", "+row 2", "+counter"])
        #expect(!first.context.isActive)
        #expect(fixture.model.rows.map(\.id) == [2, 5])
        let root = Fixture<Row>(.init(id: 1))
        #expect(root.after { $0.state.id = 2 } == ["-counter", "-row 1", "+row 2", "+counter"])
        #expect(root.model.id == 2)
        #expect(root.after { $0.state.update { $0.id = 3 } } == ["-counter", "-row 2", "+row 3", "+counter"])
    }

    @Test(
        "OS-65: a store is released when its models are, though a reference is held, and calls nothing afterwards"
    )
    func release() {
        weak var released: Store<App>?
        let notes = Notes()
        var reference: ModelReference<App>?
        let scheduler = TestScheduler()
        do {
            let store = Store<App>(initialState: .rows(1), scheduler: scheduler) { $0.notes = notes }
            scheduler.advance()
            let model = store.model
            released = store
            reference = ModelReference(model)
            #expect(reference?.model?.rows.count == 1)
            _ = notes.take()
        }
        #expect(released == nil)
        #expect(reference?.model == nil)
        #expect(notes.take() == ["-counter", "-row 1", "-app"])
        scheduler.advance(by: .seconds(100))
        #expect(notes.take() == [])
    }

    @Test(
        "OS-65, OS-49: a released store leaves nothing: neither its state, nor its dependencies, nor their models"
    )
    func leavesNothing() {
        let notes = Notes()
        for isUsed in [false, true] {
            weak var state: Guest?
            weak var dependency: Guest?
            do {
                let (first, second) = (Guest(), Guest())
                (state, dependency) = (first, second)
                let store = Store<Host>(initialState: .init(guest: first), scheduler: .immediate) {
                    $0.notes = notes
                    $0[GuestKey.self] = second
                    $0[SettingsKey.self] = Counter(initialState: .init()) { $0.notes = notes }
                }
                if isUsed {
                    store.model.context.state.rows = [.init(id: 2)]
                    store.model.rows[0].state.title = "x"
                }
            }
            #expect(state == nil && dependency == nil)
        }
        #expect(notes.value.filter { $0 == "-counter" }.count == 5)
    }

    @Test("OS-65: a child that was taken from a model of a store keeps the store")
    func keptByChild() {
        let row = Store<App>(initialState: .rows(1), scheduler: .immediate).model.rows[0]
        row.state.title = "x"
        row.counter.increment()
        #expect(row.context.isActive)
        #expect(row.title == "x")
        #expect(row.counter.count == 1)
    }

    @Test(
        "OS-65: a child keeps the store, however it was taken",
        arguments: ["array", "id", "optional", "nested"])
    func keptHowever(taken: String) {
        func counter() -> Counter? {
            let state = App.State(rows: [.init(id: 1)], sheet: .init())
            let app = Store<App>(initialState: state, scheduler: .immediate).model
            return switch taken {
            case "array": app.rows.first?.counter
            case "id": (app.child(\.rows, id: 1) as Row?)?.counter
            case "optional": app.sheet
            default: app.rows[0].counter
            }
        }
        let counter = counter()
        counter?.increment()
        #expect(counter?.context.isActive == true && counter?.count == 1)
    }

    @Test("A reference that a model makes of itself while it is activated finds it")
    func referenceInside() {
        struct Mirror: Model {
            struct State: Equatable { var count = 3 }
            let context: ModelContext<Mirror>
            func onActivate() { dependency(Seen.self).value = ModelReference(self) }
            enum Seen: DependencyKey {
                static var liveValue: Box<ModelReference<Mirror>?> { Box(nil) }
            }
        }
        let fixture = Fixture<Mirror>(.init())
        #expect(fixture.model.dependency(Mirror.Seen.self).value?.model?.count == 3)
    }

    @Test("OS-65: a model that was taken from a store keeps it")
    func keptByModel() {
        var model: Counter? = Store<Counter>(initialState: .init(), scheduler: .immediate).model
        model?.increment()
        #expect(model?.count == 1)
        let reference = model.map { ModelReference($0) }
        #expect(reference?.model != nil)
        model = nil
        #expect(reference?.model == nil)
    }
}

/// Counts the seconds, in a task that it starts when it is activated.
struct Worker: Model {
    struct State: Equatable { var ticks = 0 }
    let context: ModelContext<Worker>
    private var state: ModelState<Self> { context.state }

    func onActivate() {
        task {
            let clock = dependency(\.clock)
            while true {
                try await clock.sleep(for: .seconds(1))
                state.ticks += 1
            }
        }
        onCancel { note("cancelled") }
    }
}

private final class Guest: Sendable {}

private enum GuestKey: DependencyKey {
    static var liveValue: Guest { Guest() }
}

private struct Host: Model {
    struct State: Sendable {
        let guest: Guest
        var rows: [Row.State] = [.init(id: 1)]
    }
    let context: ModelContext<Host>
    static let children: [Child<Host>] = [.each(\.rows, Row.self)]
    var rows: [Row] { children(\.rows) }
}
