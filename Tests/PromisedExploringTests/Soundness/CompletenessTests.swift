import Dispatch
import Promise
import PromisedExploring
import PromisedSystem
import Testing

/// An exploration says that it is complete only if it is, and otherwise why it is not.
@Suite struct CompletenessTests {
    @Test("two systems in one world: both are part of a configuration")
    func twoSystems() {
        expectSame(["a", "b"], depth: 4) { (world: World<Int>) -> System<Int, String> in
            let other = System<Int, String>(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { count, _ in count = (count + 1) % 3 })
            return System<Int, String>(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { if let number = Int($1) { $0 = number } },
                feedbacks: [
                    .onEvent({ $0 == "a" ? true : nil }) { _ in
                        Effect<String>.fireAndForget { other.sendEvent("x") }
                    },
                    .onEvent({ $0 == "b" ? true : nil }) { _ in
                        Effect<String> { $0.finish(sending: "\(other.state)") }
                    },
                ])
        }
    }

    @Test("states of a second system that cannot be compared are named")
    func incomparable() {
        struct Opaque: Sendable { var count = 0 }
        let explorer = Explorer<Int, String>(events: ["a"]) { world in
            let other = System<Opaque, String>(
                initialState: Opaque(), scheduler: world.scheduler,
                reducer: Reducer { state, _ in state.count += 1 })
            return System<Int, String>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { _, _ in },
                feedbacks: [
                    .onEvent {
                        $0
                    } effects: { _ in
                        Effect<String>.fireAndForget { other.sendEvent("x") }
                    }
                ])
        }
        #expect(explorer.explore(depth: 3).gaps == [.depth(3), .incomparable("Opaque")])
    }

    @Test("states that are not Hashable are named as the reason why every path was executed")
    func notHashable() {
        struct Opaque: Sendable {}
        let explorer = Explorer<Opaque, String>(events: ["a"]) { world in
            System(initialState: Opaque(), scheduler: world.scheduler, reducer: Reducer { _, _ in })
        }
        #expect(explorer.explore(depth: 2).gaps == [.depth(2), .incomparable("Opaque")])
    }

    @Test("a property at rest that is never checked, because a timer always runs, is named")
    func neverAtRest() {
        let explorer = Explorer<Int, String>(events: []) { world in
            world.atRest("it is zero") { $0 == 0 }
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer<Int, String> { count, _ in count = 1 - count },
                feedbacks: [
                    .lensingSkippingRepeated(state: { $0 }) { _ in Promise.value("tick").delay(.seconds(1)) }
                ])
        }
        let found = explorer.explore(depth: 8)
        #expect(found.counterexample == nil)
        #expect(found.gaps == [.neverAtRest("it is zero")])
    }

    @Test("the limit of the depth and of the steps are named")
    func limits() {
        let explorer = Explorer<Int, Int>(events: [1]) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 += $1 })
        }
        #expect(explorer.explore(depth: 3).gaps == [.depth(3)])
        #expect(explorer.explore(depth: 3, .init(stepLimit: 2)).gaps == [.stepLimit])
    }

    @Test("a promise that another thread settles is named")
    func outside() {
        let explorer = Explorer<Int, String>(events: ["a"]) { world in
            System<Int, String>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { _, _ in },
                feedbacks: [
                    .onEvent({ $0 == "a" ? true : nil }, policy: .drop) { _ in
                        Promise<String> { resolver in
                            let done = DispatchSemaphore(value: 0)
                            DispatchQueue.global().async {
                                resolver.fulfill("b")
                                done.signal()
                            }
                            done.wait()
                        }
                    }
                ])
        }
        #expect(explorer.explore(depth: 3).gaps.contains(.outside("something was done on another thread")))
    }

    @Test("work that waits for nothing in the world is named")
    func waitsOutside() {
        let (never, resolver) = Promise<String>.pending()
        let explorer = Explorer<Int, String>(events: ["a"]) { world in
            System<Int, String>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { _, _ in },
                feedbacks: [.onEvent({ $0 == "a" ? true : nil }, policy: .drop) { _ in never }])
        }
        let gaps = explorer.explore(depth: 3).gaps
        #expect(
            gaps.contains {
                if case .outside(let what) = $0 { what.hasPrefix("the work of a feedback") } else { false }
            })
        resolver.fulfill("late")
    }

    @Test("an error that becomes an event depends on the time only if the event has it")
    func recovered() {
        func explored(
            _ recover: @escaping @Sendable (Effect<String>) -> Effect<String>
        ) -> Exploration<String, String> {
            Explorer<String, String>(events: ["load"]) { world in
                System<String, String>(
                    initialState: "", scheduler: world.scheduler, reducer: Reducer { $0 = $1 },
                    feedbacks: [
                        .onEvent({ $0 == "load" ? true : nil }, policy: .drop) { (_: Bool) in
                            recover(
                                .promise(
                                    world.call("load", .value("loaded"), .error(CancellationError()))
                                        .delay(.seconds(1))))
                        }
                    ])
            }.explore(depth: 10)
        }
        let found = explored { $0.recover { _ in "failed" } }
        #expect(found.isComplete, "\(found)")
        #expect(!explored { $0.recover { _, instant in "\(instant)" } }.isComplete)
    }

    @Test("work that waits for a call that is never answered waits for nothing else, unless it does")
    func waitsForCall() {
        #expect(Order.explorer(hangs: true) { _ in }.explore(depth: 20).isComplete)
        let (gate, resolver) = Promise<String>.pending()
        let explorer = Explorer<Int, String>(events: ["a"]) { world in
            System<Int, String>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { _, _ in },
                feedbacks: [
                    .onEvent({ $0 == "a" ? true : nil }, policy: .drop) { _ in
                        Promise.race(world.call("a", .never), gate)
                    }
                ])
        }
        #expect(!explorer.explore(depth: 3).isComplete)
        resolver.fulfill("late")
    }
}
