import PromisedSystem
import PromisedTesting
import Testing

/// When running work receives a new value of its request.
@Suite struct UpdateDeliveryTests {
    private enum Event: Sendable, Equatable { case level(Int?), heard(String) }

    private struct State: Sendable, Equatable {
        var level: Int?
        var heard: [String] = []
    }

    private let scheduler = TestScheduler()

    private func system(_ delivery: UpdateDelivery) -> System<State, Event> {
        System(
            initialState: State(), scheduler: scheduler,
            reducer: Reducer { state, event in
                switch event {
                case .level(let level): state.level = level
                case .heard(let text): state.heard.append(text)
                }
            },
            feedbacks: [
                .react(
                    requests: { $0.level.map { ["lamp": $0] } ?? [:] }, delivery: delivery,
                    effects: { (_: String, first: Int, later: AsyncStream<Int>) in
                        Effect.merge(
                            Effect.just(.heard("lit \(first)")),
                            Effect.values(later.map { .heard("now \($0)") }))
                    })
            ])
    }

    /// Sends a level each second, from 0 on.
    private func heard(_ delivery: UpdateDelivery, _ levels: Int?...) -> [String] {
        let system = system(delivery)
        for level in levels {
            system.sendEvent(.level(level))
            scheduler.advance()
            #expect(system.state.level == level)
            scheduler.advance(by: .seconds(1))
        }
        scheduler.advance(by: .seconds(10))
        let heard = system.state.heard
        system.stop()
        scheduler.advance()
        #expect(scheduler.pendingCount == 0)
        return heard
    }

    @Test("SR-42: immediate: every value is delivered to the running work") func immediate() {
        #expect(heard(.immediate, 1, 2, 2, 3) == ["lit 1", "now 2", "now 3"])
    }

    @Test("SR-42: debounced: only the last value of a burst is delivered") func debounced() {
        #expect(heard(.debounce(.seconds(2)), 1, 2, 3, 4) == ["lit 1", "now 4"])
        #expect(heard(.debounce(.milliseconds(500)), 1, 2, 3) == ["lit 1", "now 2", "now 3"])
    }

    @Test("SR-42: throttled: a value is delivered at once, and the latest at the end of each window")
    func throttled() {
        #expect(
            heard(.throttle(.milliseconds(2500)), 1, 2, 3, 4, 5, 6, 7)
                == ["lit 1", "now 2", "now 4", "now 6", "now 7"])
        #expect(heard(.throttle(.milliseconds(2500)), 1, 2) == ["lit 1", "now 2"])
    }

    @Test("SR-42: a pending update is dropped with the work") func dropped() {
        #expect(heard(.debounce(.seconds(2)), 1, 2, nil, 3) == ["lit 1", "lit 3"])
        #expect(heard(.throttle(.seconds(3)), 1, 2, 3, nil) == ["lit 1", "now 2"])
    }

    @Test("SR-42: the timer of a pending update is cancelled with the work") func timers() {
        for delivery in [UpdateDelivery.debounce(.seconds(20)), .throttle(.seconds(20))] {
            let system = system(delivery)
            for level in 1...3 {
                system.sendEvent(.level(level))
                scheduler.advance()
            }
            #expect(scheduler.pendingCount == 1)
            system.sendEvent(.level(nil))
            scheduler.advance()
            #expect(scheduler.pendingCount == 0)
        }
    }

    private struct Name: Hashable, Sendable {
        let number: Int
        let witness: Witness

        static func == (left: Name, right: Name) -> Bool { left.number == right.number }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    @Test("SR-42: the id of work is released when the work is no longer requested")
    func namesAreReleased() {
        let gone = Log<Int>()
        let system = System<[Name], [Name]>(
            initialState: [], scheduler: scheduler, reducer: Reducer { $0 = $1 },
            feedbacks: [
                .react(
                    requests: { names in Dictionary(uniqueKeysWithValues: names.map { ($0, 0) }) },
                    effects: { (_: Name, _: Int, _: AsyncStream<Int>) in Effect<[Name]>.never })
            ])
        for number in 1...3 {
            system.sendEvent([Name(number: number, witness: Witness { gone.add(number) })])
            scheduler.advance()
            system.sendEvent([])
            scheduler.advance()
            #expect(gone.take() == [number])
        }
    }
}
