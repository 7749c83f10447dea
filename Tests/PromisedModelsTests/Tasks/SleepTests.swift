import Promise
import PromisedExploring
import PromisedModels
import PromisedModelsTesting
import PromisedTesting
import Testing

/// A sleep of the clock of a store leaves nothing behind when it is cancelled.
struct SleepTests {
    @Test("A sleep that is cancelled leaves no timer")
    func timers() {
        let fixture = Fixture<App>(.rows(1, 2))
        for row in fixture.model.rows {
            for _ in 0..<50 {
                row.task { try await row.dependency(\.clock).sleep(for: .seconds(60)) }.cancel(for: "key")
            }
        }
        fixture.scheduler.advance()
        #expect(fixture.scheduler.pendingCount == 100)
        fixture.model.rows[0].cancelAll(for: "key")
        fixture.scheduler.advance()
        #expect(fixture.scheduler.pendingCount == 50)
        fixture.model.state.rows = []
        fixture.scheduler.advance()
        #expect(fixture.scheduler.pendingCount == 0)
    }

    @Test("A sleep in a task that was cancelled before throws at once")
    func cancelledBefore() {
        let fixture = Fixture<Counter>(.init())
        let (notes, clock) = (fixture.notes, fixture.store.dependencies.clock)
        let counter = fixture.model
        counter.task {
            counter.cancelAll(for: "key")
            do { try await clock.sleep(for: .seconds(1)) } catch { notes.add("\(type(of: error))") }
        }
        .cancel(for: "key")
        fixture.scheduler.advance()
        #expect(notes.take().last == "CancellationError")
        #expect(fixture.scheduler.pendingCount == 0)
    }

    @Test("Sleeps that were cancelled are no part of a configuration of the explorer")
    func explored() {
        struct Bell: Model {
            struct State: Hashable { var isOn = false }
            enum Call: Hashable { case start, stop }
            let context: ModelContext<Bell>
            func perform(_ call: Call) {
                cancelAll(for: "sleep")
                guard call == .start else { return }
                task { try await dependency(\.clock).sleep(for: .seconds(5)) }.cancel(for: "sleep")
            }
        }
        let explorer = Explorer<Bell.State, Bell.Call?>(events: [.start, .stop]) { world in
            let store = Store<Bell>(initialState: .init(), scheduler: world.scheduler)
            return world.driving(store) { call, bell in bell.perform(call) }
        }
        // Timers that were left made it 40, and a clock that is read 19.
        #expect(explorer.explore(depth: 4).configurations == 13)
    }
}
