import Promise
import PromisedExploring
import PromisedSystem
import Testing

/// An exploration executes the steps of a known configuration on other paths to it, too, and finds what none of its parts
/// contains.
@Suite struct AuditTests {
    typealias Build = @Sendable (World<Int>) -> System<Int, String>

    /// Explores with an audit of each path, which is to end with two paths and a state that is different behind them.
    @discardableResult
    private func expectDifference(
        _ events: [String], depth: Int = 4, longest: Int = 4, _ name: String = "the state",
        sourceLocation: SourceLocation = #_sourceLocation,
        build: @escaping Build
    ) -> MergedPaths<Int, String>? {
        let explorer = Explorer(events: events, build: build)
        let found = explorer.explore(depth: depth, .init(audit: 1))
        guard let merged = found.counterexample?.merged else {
            Issue.record("nothing was found: \(found)", sourceLocation: sourceLocation)
            return nil
        }
        #expect(merged.differences.contains { $0.name == name }, "\(merged)", sourceLocation: sourceLocation)
        #expect(
            merged.first.map(\.step) != merged.second.map(\.step), "\(merged)", sourceLocation: sourceLocation
        )
        #expect(merged.first.last?.step == merged.second.last?.step, sourceLocation: sourceLocation)
        #expect(
            max(merged.first.count, merged.second.count) <= longest, "\(merged)",
            sourceLocation: sourceLocation)
        #expect(found.isComplete == false, sourceLocation: sourceLocation)
        for path in [merged.first, merged.second] {
            let again = explorer.replay(path.map(\.step))
            #expect(again.map(\.description) == path.map(\.description), sourceLocation: sourceLocation)
        }
        return merged
    }

    // MARK: What is found

    static let callback: Build = { world in
        let count = Lock(0)
        return System(
            initialState: 0, scheduler: world.scheduler,
            reducer: Reducer { state, event in
                if event == "use" { state = count.withLock { $0 } }
            },
            feedbacks: [
                .onEvent({ $0 == "count" ? $0 : nil }) { _ in
                    Effect<String>.fireAndForget { count.withLock { $0 = 1 } }
                }
            ])
    }

    @Test("a counter in a callback")
    func counter() throws {
        let merged = try #require(expectDifference(["count", "use"], build: Self.callback))
        #expect(
            merged.description == """
                Two paths were taken to be equal but for their last step, and the last step, the same on both, leads to \
                different configurations.

                Different after the last step:

                    the state: 0 or 1

                One path:

                    1. .send("use")
                        0

                The other path:

                    1. .send("count")
                        0
                    2. .send("use")
                        1

                So something differs before it that the exploration does not see. Have state that is kept beside the \
                systems in a variable of the world, or in the state of a system.
                """)
    }

    @Test("a value that one effect keeps and another one sends")
    func keptValue() {
        expectDifference(["a", "b", "use"]) { world in
            let kept = Lock("0")
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in state = Int(event) ?? state },
                feedbacks: [
                    .onEvent({ $0 == "a" || $0 == "b" ? $0 : nil }) { event in
                        Effect<String>.fireAndForget { kept.exchange(for: event == "a" ? "1" : "2") }
                    },
                    .onEvent({ $0 == "use" ? $0 : nil }) { _ in
                        Promise { $0.fulfill(kept.withLock { $0 }) }
                    },
                ])
        }
    }

    @Test("which of two ways has led to a state, kept beside it")
    func keptWay() throws {
        let merged = try #require(
            expectDifference(["a", "b", "join", "use"], longest: 3) { world in
                let kept = Lock(0)
                return System(
                    initialState: 0, scheduler: world.scheduler,
                    reducer: Reducer { state, event in
                        switch (event, state) {
                        case ("a", 0): state = 1
                        case ("b", 0): state = 2
                        case ("join", 1), ("join", 2):
                            kept.exchange(for: state)
                            state = 3
                        case ("use", 3): state = 10 + kept.withLock { $0 }
                        default: break
                        }
                    })
            })
        #expect(Set(merged.differences.flatMap { [$0.first, $0.second] }) == ["11", "12"], "\(merged)")
    }

    @Test("a subscription that comes and goes")
    func subscription() {
        expectDifference([]) { world in
            let other = System<Int, Int>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 2 })
            let system = System<Int, String>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { state, event in state = 1 })
            let token = Lock<SubscriptionToken?>(nil)
            world.action("follow") {
                let new = other.settled.subscribe(replayCurrent: false) { [weak system] _ in
                    system?.sendEvent("seen")
                }
                token.withLock { $0 = new }
            }
            world.action("change") { other.sendEvent(1) }
            return system
        }
    }

    @Test("the last part that an optional part keeps")
    func lastPart() {
        expectDifference(["1", "2", "none", "use"]) { world in
            let other = System<Int?, Int?>(
                initialState: nil, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
            let part = other.scoped().unwrapped(or: 0)
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    if event == "use" { state = part.state } else { other.sendEvent(Int(event)) }
                })
        }
    }

    @Test("middleware that keeps what it reads")
    func middleware() {
        // Of a path that continues an earlier one.
        expectDifference(["keep", "use"], longest: 14) { world in
            let (disk, kept) = (world.variable(0), Lock(0))
            world.action("change") { disk.value = 1 - disk.value }
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    if event == "use" { state = kept.withLock { $0 } }
                },
                middleware: Middleware(before: { event, _ in
                    if event == "keep" { kept.exchange(for: disk.value) }
                    return .pass
                }))
        }
    }

    @Test("a source that remembers an earlier value of another system")
    func rememberingSource() {
        expectDifference(["1", "2", "use"]) { world in
            let other = System<Int, Int>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
            let pairs = other.settled.currentAndPrevious()
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in
                    if let number = Int(event) {
                        other.sendEvent(number)
                    } else {
                        state = pairs.value.previous ?? -1
                    }
                })
        }
    }

    // MARK: What is not found, and costs

    @Test("a machine without other memory has no difference, and the same counts as without an audit")
    func correct() {
        let explorer = Explorer<Int, String>(events: ["a", "b"]) { world in
            let disk = world.variable(0)
            return System(
                initialState: 0, scheduler: world.scheduler,
                reducer: Reducer { state, event in state = (state + event.count) % 3 },
                feedbacks: [
                    .onEvent({ $0.count == 1 ? $0 : nil }, policy: .queue) { event in
                        world.call("save", .result("done") { disk.value = event == "a" ? 1 : 2 }, .cancelled)
                            .delay(.seconds(1)).map { "\(event)\(disk.value)" }
                    }
                ])
        }
        let (audited, plain) = (
            explorer.explore(depth: 5, .init(audit: 1)), explorer.explore(depth: 5, .init(audit: 0))
        )
        #expect(audited.counterexample == nil)
        #expect(audited.auditedSteps > audited.steps)
        #expect(plain.auditedSteps == 0)
        #expect("\(audited)" == "\(plain)")
        #expect(audited.levels == plain.levels)
        #expect(audited.gaps == plain.gaps)
        #expect(audited.states == plain.states)
        #expect((audited.steps, audited.paths) == (plain.steps, plain.paths))
    }

    @Test("without an audit nothing is found, and the exploration seems complete")
    func off() {
        let explorer = Explorer(events: ["count", "use"], build: Self.callback)
        let found = explorer.explore(depth: 4, .init(audit: 0))
        #expect(found.counterexample == nil)
        #expect(found.isComplete)
    }

    @Test("what a view hides is a gap, and no difference")
    func view() {
        let explorer = Explorer<Int, Int>(events: [1, 2]) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 8 })
        }
        let found = explorer.viewed { $0 / 4 }.explore(depth: 6, .init(audit: 1))
        #expect(found.counterexample == nil)
        #expect(found.gaps == [.view])
        #expect(found.auditedSteps == 0)
    }

    @Test(
        "an audit of one path in a hundred costs at most a tenth of the steps, and finds a frequent difference"
    )
    func sample() {
        func explorer(_ isHidden: Bool) -> Explorer<Int, Int> {
            Explorer(events: Array(0..<8)) { world in
                let last = Lock(0)
                return System(
                    initialState: 0, scheduler: world.scheduler,
                    reducer: Reducer { state, event in
                        let before = last.exchange(for: event)
                        state = (state * 8 + event + (isHidden && before == event ? 1 : 0)) % 512
                    })
            }
        }
        let clean = explorer(false).explore(depth: 20, .init(audit: 100))
        #expect(clean.isComplete)
        #expect(clean.auditedSteps > 0 && clean.auditedSteps * 10 <= clean.steps)
        #expect(explorer(true).explore(depth: 20, .init(audit: 100)).counterexample?.merged != nil)
    }

    @Test("a difference fails a check, is no regression to keep, and is continued by nothing")
    func check() {
        let explorer = Explorer(events: ["count", "use"], build: Self.callback)
        let found = explorer.explore(depth: 4, .init(violations: .all, audit: 1))
        #expect(found.counterexamples.count == 1)
        #expect(found.gaps.first == .violation)
        #expect(found.counterexample?.property == "")
        #expect(found.counterexample?.trace.map(\.step) == found.counterexample?.merged?.first.map(\.step))
        #expect(found.continued(depth: 8).counterexamples.count == 1)
    }
}
