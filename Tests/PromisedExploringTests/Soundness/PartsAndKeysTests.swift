import Promise
import PromisedExploring
import PromisedSystem
import Testing

/// Parts that are replaced, and keys that feedbacks share, where equal configurations are merged.
@Suite struct PartsAndKeysTests {
    struct Draft: Hashable, Sendable, Identifiable {
        let id: Int
        var got = ""
    }

    /// Two feedbacks of a draft, whose work has one key.
    private static func feedbacks(
        _ world: World<Draft?>, _ policies: (first: EffectPolicy, second: EffectPolicy)
    ) -> [Feedback<Draft?, String>] {
        func feedback(_ name: String, _ policy: EffectPolicy) -> Feedback<Draft?, String> {
            Feedback<Draft, String>.onEvent(
                { $0 == name ? name : nil }, key: { _ in "work" }, policy: policy
            ) { name in world.call(name, .value(name.uppercased())) }
            .lifted(by: Scope<Draft?, String, Draft?, String>.identity())
        }
        return [feedback("a", policies.first), feedback("b", policies.second)]
    }

    @Test(
        "merging changes nothing",
        arguments: [
            (.replace, .drop), (.queue, .queue), (.concurrent, .replace), (.drop, .debounce(.seconds(1))),
            (.throttle(.seconds(1)), .queue),
        ] as [(EffectPolicy, EffectPolicy)])
    func merging(_ first: EffectPolicy, _ second: EffectPolicy) {
        let found = expectSame(["1", "2", "-", "a", "b"], depth: 4) {
            (world: World<Draft?>) -> System<Draft?, String> in
            System<Draft?, String>(
                initialState: Draft(id: 1), scheduler: world.scheduler,
                reducer: Reducer { draft, event in
                    switch event {
                    case "1": draft = Draft(id: 1, got: draft?.id == 1 ? draft?.got ?? "" : "")
                    case "2": draft = Draft(id: 2)
                    case "-": draft = nil
                    case "A", "B": draft?.got += event
                    default: break
                    }
                }, feedbacks: Self.feedbacks(world, (first, second)))
        }
        #expect(found.states.contains(Draft(id: 1, got: "A")))
        // What was asked for the first draft is not answered to the second one, unless that has asked, too.
        #expect(found.states.contains(Draft(id: 2, got: "A")))
    }

    @Test("no draft gets the answer to another one's request")
    func noneStale() {
        let explorer = Explorer<Draft?, String>(events: ["2", "a", "b"]) { world in
            world.always("the second draft has asked nothing") { $0?.id != 2 || $0?.got == "" }
            return System<Draft?, String>(
                initialState: Draft(id: 1), scheduler: world.scheduler,
                reducer: Reducer { draft, event in
                    switch event {
                    case "2": draft = Draft(id: 2)
                    case "A", "B": draft?.got += event
                    default: break
                    }
                },
                feedbacks: Self.feedbacks(world, (.concurrent, .queue)),
                middleware: Middleware(before: { event, system in
                    // Only the first draft is asked for.
                    system.state?.id == 2 && ["a", "b"].contains(event) ? .stop : .pass
                }))
        }
        #expect(explorer.explore(depth: 5).counterexample == nil)
    }

    @Test("a pending event of a handle, which is dropped with its part, is told from another one")
    func handles() {
        let found = expectSame(["2"], depth: 4) {
            (world: World<Draft?>) -> System<Draft?, String> in
            let system = System<Draft?, String>(
                initialState: Draft(id: 1), scheduler: world.scheduler,
                reducer: Reducer { (draft: Draft?, event: String) -> Promise<Draft?> in
                    // Events that are sent meanwhile wait.
                    if event == "2" { return Promise.value(Draft(id: 2)).delay(.seconds(1)) }
                    return .value(draft.map { Draft(id: $0.id, got: $0.got + event) })
                })
            let part = Scope<Draft?, String, Draft?, String>.identity()
            world.action("tap") { system.scoped(by: part).unwrapped()?.sendEvent("a") }
            // Only while the first draft is there, so that no other path leads to what it does to the second.
            world.action("send") { if system.state?.id == 1 { system.sendEvent("a") } }
            return system
        }
        #expect(found.states.contains(Draft(id: 2, got: "a")) && found.states.contains(Draft(id: 2)))
    }
}
