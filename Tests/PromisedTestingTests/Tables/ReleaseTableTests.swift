import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// What the kit holds is released with its owner, whatever else is still held or waits.
@Suite struct ReleaseTableTests {
    enum Event: Sendable, Equatable { case start, loaded }

    /// What is still there when the test system and its system are released.
    enum Holder: String, CaseIterable, Sendable {
        case nothing, scheduler, source, token, stub, recorder, resolver, openTask, failingFinish, skipped,
            finished, tried
    }

    private final class Witness: Sendable {}

    @Test("a released test system releases its system and what its closures hold", arguments: Holder.allCases)
    func releases(holder: Holder) async {
        weak var witness: Witness?
        weak var system: System<Int, Event>?
        var held: [Any] = []
        let (gate, resolver) = Promise<Event>.pending()
        let stub = Stub<Int, Event>("load")
        _ = await TestReport.collect {
            let scheduler = TestScheduler()
            scheduler.asyncWorkLimit = .zero
            let token = Witness()
            let made = System<Int, Event>(
                initialState: 0, scheduler: scheduler,
                feature: Feature(
                    reducer: Reducer { count, _ in withExtendedLifetime(token) { count += 1 } },
                    feedbacks: [
                        .onEvent({ $0 == .start ? 1 : nil }) { number in
                            switch holder {
                            case .stub: Effect<Event>.promise(stub(number))
                            case .openTask: Effect<Event>.task { try await gate.value }
                            case .resolver: Effect<Event>.promise(gate)
                            default: Effect<Event>.never
                            }
                        }
                    ]))
            (witness, system) = (token, made)
            let test = TestSystem(made, on: scheduler)
            test.send(.start) { $0 = 1 }
            switch holder {
            case .scheduler: held = [scheduler]
            case .source: held = [made.settled]
            case .token: held = [made.settled.subscribe { _ in }]
            case .recorder: held = [Recorder(made.settled, on: scheduler)]
            case .failingFinish: test.finish()
            case .skipped: test.skipRunningWork()
            case .finished:
                test.skipRunningWork()
                test.finish()
            case .tried: await test.afterAsyncWork { test.receive(.loaded) }
            case .nothing, .stub, .resolver, .openTask: break
            }
        }
        #expect(system == nil)
        // A source keeps what it reads, but not what changes it.
        #expect(witness == nil)
        withExtendedLifetime((held, resolver)) {}
        resolver.fulfill(.loaded)
    }

    @Test("a scheduler names no system that was released, and keeps none") func schedulerForgets() {
        let scheduler = TestScheduler()
        weak var witness: Witness?
        do {
            let token = Witness()
            witness = token
            let system = System<Int, Event>(initialState: 0, scheduler: scheduler) { count, _ in
                Promise.value(count).delay(.seconds(100)).ensure { withExtendedLifetime(token) {} }
            }
            system.sendEvent(.start)
            scheduler.advance()
        }
        scheduler.schedule(after: .seconds(1)) {}
        #expect(failures { scheduler.run(limit: 0) }.allSatisfy { !$0.contains("transition") })
        #expect(witness == nil)
    }

    @Test("a scheduler that is released while async work is open is released when that has ended")
    func openWork() {
        weak var released: TestScheduler?
        let (gate, resolver) = Promise<Int>.pending()
        do {
            let scheduler = TestScheduler()
            released = scheduler
            Promise { try await gate.value }.start(on: scheduler)
            scheduler.advance()
            resolver.fulfill(1)
            scheduler.advance()
            scheduler.finish()
        }
        #expect(released == nil)
    }
}
