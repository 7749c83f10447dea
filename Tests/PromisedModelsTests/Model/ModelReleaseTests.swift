import Dispatch
import Promise
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// When removed models and former states are released, and what follows the release of a store.
@Suite(.tags(.sharedState)) struct ModelReleaseTests {
    private final class Load: Sendable {}

    private struct Carrier: Model {
        struct State: Sendable, Identifiable {
            var id: Int
            var load: Load?
        }
        let context: ModelContext<Carrier>
    }

    @Test("A model that was observed and removed is released, with its last state")
    func removedObserved() {
        let fixture = Fixture<[Carrier]>([])
        weak var load: Load?
        do {
            let new = Load()
            load = new
            fixture.store.replace([.init(id: 1, load: new)])
            fixture.scheduler.advance()
            let token = fixture.model[0].source(of: \.id).subscribe(replayCurrent: false) { _ in }
            fixture.store.replace([])
            fixture.scheduler.advance()
            token.cancel()
        }
        fixture.scheduler.advance()
        #expect(load == nil)
    }

    @Test("The state before a write is released when the records of it have been made")
    func recordReleased() {
        let fixture = Fixture<[Carrier]>([])
        let records = fixture.store.onWrite { _ in }
        weak var load: Load?
        do {
            let new = Load()
            load = new
            fixture.store.replace([.init(id: 1, load: new)])
            fixture.scheduler.advance()
            fixture.model[0].context.state.load = nil
            fixture.scheduler.advance()
        }
        #expect(load == nil)
        records.cancel()
    }

    @Test("What follows from a write comes before the last hook, if the store is released on the scheduler")
    func releasedOnScheduler() {
        let (scheduler, notes) = (TestScheduler(), Notes())
        let store = Box<Store<Counter>?>(
            Store(initialState: .init(), scheduler: scheduler) { $0.notes = notes })
        scheduler.advance()
        let token = store.value?.model.source(of: \.count).subscribe(replayCurrent: false) {
            notes.add("\($0)")
        }
        _ = notes.take()
        scheduler.schedule(after: .zero) { store.value = nil }
        store.value?.model.state.count = 1
        scheduler.advance()
        #expect(notes.take() == ["1", "-counter"])
        withExtendedLifetime(token) {}
    }

    @Test("A store that is released while its scheduler performs something ends behind that")
    func releasedMeanwhile() {
        let (scheduler, notes) = (QueueScheduler.serial("rare"), Notes())
        let (entered, go, done) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        var store: Store<Counter>? = Store(initialState: .init(), scheduler: scheduler) { $0.notes = notes }
        let token = store?.model.source(of: \.count).subscribe(replayCurrent: false) { count in
            notes.add("\(count)")
            guard count == 1 else { return }
            entered.signal()
            go.wait()
        }
        store?.model.state.count = 1
        entered.wait()
        store?.model.state.count = 2
        store = nil
        go.signal()
        for _ in 0..<2 {
            scheduler.schedule { done.signal() }
            done.wait()
        }
        #expect(notes.value == ["+counter", "1", "2", "-counter"])
        withExtendedLifetime(token) {}
    }
}
