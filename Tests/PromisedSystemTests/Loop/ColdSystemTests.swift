import PromisedSystem
import PromisedTesting
import Testing

/// A separate system for each subscriber.
@Suite struct ColdSystemTests {
    private let scheduler = TestScheduler()

    /// Counts once a second, until it is stopped.
    private func counting(_ made: Log<Int>, _ cancelled: Log<Int>) -> ColdSystem<Int, Int> {
        let scheduler = scheduler
        return ColdSystem {
            let number = made.count
            made.add(number)
            let ticking = Effect<Int> { effect in
                @Sendable func wait() {
                    let timer = effect.scheduler.schedule(after: .seconds(1)) {
                        effect.send(1)
                        wait()
                    }
                    effect.onCancel { timer.cancel() }
                }
                effect.onCancel { cancelled.add(number) }
                wait()
            }
            return System(
                initialState: 0, scheduler: scheduler, reducer: Reducer { $0 += $1 },
                feedbacks: [.just(effects: ticking)])
        }
    }

    @Test(
        "FS-44: nothing runs without a subscriber; two subscribers have separate runs, and one may end alone"
    )
    func independent() {
        let (made, cancelled) = (Log<Int>(), Log<Int>())
        let (first, second) = (Log<Int>(), Log<Int>())
        let cold = counting(made, cancelled)
        scheduler.advance(by: .seconds(5))
        #expect(made.count == 0)
        let one = cold.subscribe { first.add($0) }
        scheduler.advance(by: .seconds(2))
        let other = cold.subscribe { second.add($0) }
        scheduler.advance(by: .seconds(1))
        #expect(first.entries == [0, 1, 2, 3])
        #expect(second.entries == [0, 1])
        one.cancel()
        #expect(cancelled.entries == [0])
        scheduler.advance(by: .seconds(1))
        #expect(first.count == 4)
        #expect(second.entries == [0, 1, 2])
        withExtendedLifetime(other) {}
    }

    @Test("FS-44: releasing the token ends the run, and leaves no timer") func letGo() {
        let (made, cancelled) = (Log<Int>(), Log<Int>())
        var token: SubscriptionToken? = counting(made, cancelled).subscribe { _ in }
        scheduler.advance()
        #expect(token != nil && scheduler.pendingCount == 1)
        token = nil
        #expect(cancelled.entries == [0])
        #expect(scheduler.pendingCount == 0)
    }

    @Test("FS-44: as a sequence, each iteration is a run, which ends with it") func sequence() async {
        let (made, stopped) = (Log<Int>(), Log<Int>())
        let cold = ColdSystem<Int, Int> {
            let number = made.count
            made.add(number)
            return System(
                initialState: number, scheduler: .immediate, reducer: Reducer { $0 += $1 },
                feedbacks: [.just(effects: Effect { $0.onCancel { stopped.add(number) } })])
        }
        let values = cold.values
        #expect(made.count == 0)
        for await state in values {
            #expect(state == 0)
            break
        }
        #expect(stopped.entries == [0])
        for await state in values {
            #expect(state == 1)
            break
        }
        #expect(stopped.entries == [0, 1])
    }

    @Test("FS-44: ending a run stops its system, even if others retain that") func stopped() async {
        let systems = Log<System<Int, Int>>()
        let cold = ColdSystem<Int, Int> {
            let system = System<Int, Int>(
                initialState: 0, scheduler: .immediate, reducer: Reducer { $0 += $1 })
            systems.add(system)
            return system
        }
        cold.subscribe { _ in }.cancel()
        for await _ in cold.values { break }
        for system in systems.entries { system.sendEvent(1) }
        #expect(systems.entries.map(\.state) == [0, 0])
    }
}
