import PromisedExploring
import PromisedRecording
import Testing

/// Time travel inside of an exploration.
@Suite struct ExploredTravelTests {
    private func gaps(_ command: @escaping @Sendable (TimeTravel<Int, Int>) -> Void) -> [Gap] {
        Explorer<Int, Int>(events: [1]) { world in
            let system = System<Int, Int>(initialState: 0, scheduler: world.scheduler) {
                .value(($0 + $1) % 3)
            }
            let travel = TimeTravel(system)
            world.action("travel") { command(travel) }
            return system
        }.explore(depth: 6).gaps
    }

    private static let gap = Gap.outside("a system was stopped, or has shown another state, by time travel")

    @Test("a system that stays stopped or overridden is a gap: what waits then is part of no configuration")
    func controlled() {
        #expect(gaps { $0.stop() } == [Self.gap])
        #expect(gaps { $0.lock() } == [Self.gap])
        #expect(gaps { try? $0.jump(to: 0) } == [Self.gap])
        #expect(
            Self.gap.description
                == "a system was stopped, or has shown another state, by time travel, outside of the world")
    }

    @Test("one that continues within the step is not")
    func released() {
        #expect(gaps { _ in } == [])
        #expect(
            gaps {
                $0.stop()
                $0.resume()
            } == [])
    }
}
