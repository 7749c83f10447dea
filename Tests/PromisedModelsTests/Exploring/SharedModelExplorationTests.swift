import Promise
import PromisedExploring
import PromisedModels
import PromisedModelsTesting
import PromisedTesting
import Testing

/// Models that are dependencies are explored with the store that they are dependencies of.
struct SharedModelExplorationTests {
    struct Meter: Model {
        struct State: Hashable { var count = 0, text = "" }
        let context: ModelContext<Meter>
        static let peak = ModelProperty(0)
        var state: ModelState<Self> { context.state }

        func onActivate() {
            forEach(events(ofType: Int.self)) { state.count = min(state.count + $0, 3) }
        }
        func ask() {
            task {
                state.text = try await dependency(SearchKey.self)("it").value
            } catch: { _ in
                state.text = ""
            }
            .cancel(for: "ask", cancelInFlight: true)
        }
    }

    enum MeterKey: DependencyKey {
        static var liveValue: Meter { Meter(initialState: .init()) }
    }

    struct Page: Model {
        struct State: Hashable { var shown = 0, text = "" }
        enum Call: Hashable { case count, remember, ask, show }
        let context: ModelContext<Page>

        func perform(_ call: Call) {
            let meter = dependency(MeterKey.self)
            switch call {
            case .count: meter.send(1)
            case .remember: meter.property(Meter.peak).value = meter.count
            case .ask: meter.ask()
            case .show:
                context.state.update {
                    $0.shown = meter.count + meter.property(Meter.peak).value
                    $0.text = meter.text
                }
            }
        }
    }

    private func explorer(_ calls: [Page.Call], isOverride: Bool) -> Explorer<Page.State, Page.Call?> {
        Explorer(events: calls) { world in
            let store = Store<Page>(initialState: .init(), scheduler: world.scheduler) {
                $0[SearchKey.self] = { text in
                    world.call("search \(text)", .value("found"), .error(Failure()))
                }
                if isOverride { $0[MeterKey.self] = Meter(initialState: .init()) }
            }
            return world.driving(store) { call, page in page.perform(call) }
        }
    }

    @Test(
        "OS-49: the state, the events and what else it remembers are explored, and end",
        arguments: [false, true])
    func states(isOverride: Bool) {
        let exploration = explorer([.count, .remember, .show], isOverride: isOverride).check(depth: 40)
        #expect(exploration.gaps == [])
        #expect(Set(exploration.states.map(\.shown)) == Set(0...6))
    }

    @Test("OS-49: the answers that its tasks wait for are explored", arguments: [false, true])
    func answers(isOverride: Bool) {
        let exploration = explorer([.ask, .show], isOverride: isOverride).check(depth: 40)
        #expect(exploration.gaps == [])
        #expect(Set(exploration.states.map(\.text)) == ["", "found"])
    }

    @Test("OS-49: configurations that count as equal lead to the same states")
    func merging() {
        let calls: [Page.Call] = [.count, .remember, .ask, .show]
        let all = ExplorationOptions(merging: .none, violations: .all)
        let merged = explorer(calls, isOverride: true).explore(depth: 4, .init(violations: .all))
        let every = explorer(calls, isOverride: true).explore(depth: 4, all)
        #expect(Set(merged.states) == Set(every.states))
        #expect(merged.transitions < every.transitions)
    }
}
