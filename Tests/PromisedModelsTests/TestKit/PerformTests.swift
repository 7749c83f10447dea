import Promise
import PromisedModelsTesting
import PromisedTesting
import Testing

/// A test calls methods where an application on its scheduler calls them, so that it sees what that shows.
struct PerformTests {
    private struct Form: Model {
        struct State: Equatable {
            var text = "", length = 0, seen = 0
        }
        let context: ModelContext<Form>
        var state: ModelState<Self> { context.state }

        func onActivate() {
            onChange(of: \.text) { text in state.length = text.count }
        }

        /// Reads what a reaction to its write has set.
        func typed(_ text: String) {
            state.text = text
            state.seen = state.length
        }
    }

    @Test("OS-53: reactions to a write run inside of it, as where a method is called on the scheduler")
    func reactions() {
        let scheduler = TestScheduler()
        let app = Store<Form>(initialState: .init(), scheduler: scheduler)
        scheduler.advance()
        scheduler.schedule { app.model.typed("abc") }
        scheduler.advance()
        let reports = TestReport.collect {
            let test = TestStore<Form>(initialState: .init())
            test.model.perform { $0.typed("abc") }
            test.model.assert { $0 = app.state }
            test.finish()
        }
        #expect(app.state.seen == 3)
        #expect(reports.map(\.message) == [])
    }

    @Test("A method is performed on the scheduler; its result and its error are those of the method")
    func place() throws {
        let test = TestStore<Counter>(initialState: .init(), exhaustivity: .off)
        let scheduler = test.scheduler
        #expect(test.model.perform { _ in scheduler.isCurrent })
        #expect(throws: Failure.self) { try test.model.perform { _ in throw Failure() } }
        #expect(!scheduler.isCurrent)
        var isCurrent = false
        _ = test.model.child { counter in
            isCurrent = scheduler.isCurrent
            return counter
        }
        #expect(isCurrent)
    }

    @Test("The last hooks are called on the scheduler")
    func lastHooks() {
        let test = TestStore<Counter>(initialState: .init(), exhaustivity: .off)
        let (scheduler, places) = (test.scheduler, Box<[Bool]>([]))
        test.model.perform { _ = $0.onCancel { places.change { $0.append(scheduler.isCurrent) } } }
        test.finish()
        #expect(places.value == [true])
    }
}
