import Promise
import PromisedExploring
import PromisedModels
import PromisedModelsTesting
import PromisedTesting
import TestSupport
import Testing

/// Every order of the calls of methods, of answers and of time.
struct ModelExplorationTests {
    private func explorer(cancels: Bool) -> Explorer<Finder.State, Finder.Call?> {
        Explorer(events: [.type("a"), .type("b"), .clear]) { world in
            world.atRest("what is shown belongs to the text") {
                $0.result.isEmpty || $0.result == "found \($0.text)"
            }
            let store = Store<Finder>(initialState: .init(cancels: cancels), scheduler: world.scheduler) {
                $0[SearchKey.self] = { text in
                    world.call("search \(text)", .value("found \(text)"), .error(Failure()))
                }
            }
            return world.driving(store) { call, finder in
                switch call {
                case .type(let text): finder.type(text)
                case .clear: finder.clear()
                }
            }
        }
    }

    @Test("An answer that is out of date is found, and the counterexample reads as calls of methods")
    func stale() {
        let found = explorer(cancels: false).explore(depth: 4).counterexample
        #expect(
            found?.description.contains(
                """
                    explorer.replay(
                        .send(.type("a")),
                        .send(.clear),
                        .answer("search a", "found a"))
                """) == true, "\(found as Any)")
    }

    @Test("Where the task before is cancelled, all orders are right, and their configurations are finite")
    func cancelled() {
        let exploration = explorer(cancels: true).check(depth: 40)
        #expect(exploration.gaps == [])
        #expect(exploration.configurations == 19)
        #expect(exploration.transitions == 85)
    }

    @Test("Configurations that count as equal lead to the same states", arguments: [true, false])
    func merging(cancels: Bool) {
        let depth = isStress ? 4 : 3
        let all = ExplorationOptions(merging: .none, violations: .all)
        let merged = explorer(cancels: cancels).explore(depth: depth, .init(violations: .all))
        let every = explorer(cancels: cancels).explore(depth: depth, all)
        #expect(Set(merged.states) == Set(every.states))
        #expect(merged.counterexample?.trace.count == every.counterexample?.trace.count)
        #expect(merged.transitions < every.transitions)
    }

    @Test(
        "Virtual time passes for the tasks of models, and a removed model's task is cancelled with its call")
    func timeAndRemoval() {
        let explorer = Explorer<App.State, Int?>(events: [1, 2]) { world in
            world.atRest("a row that is left has its title") { $0.rows.allSatisfy { $0.title == "done" } }
            world.sometimes("two rows") { $0.rows.count == 2 }
            let store = Store<App>(initialState: .init(), scheduler: world.scheduler)
            return world.driving(store) { id, app in
                if let row = app.rows.first(where: { $0.id == id }) {
                    app.state.rows.removeAll { $0.id == row.id }
                } else {
                    app.state.rows.append(.init(id: id))
                    guard let row = app.child(\.rows, id: id) as Row? else { return }
                    row.task {
                        try await row.dependency(\.clock).sleep(for: .seconds(id))
                        row.state.title = "done"
                    }
                }
            }
        }
        let exploration = explorer.check(depth: 5, mustBeComplete: false)
        #expect(exploration.gaps == [.depth(5)])
    }

    @Test(
        "A task that sleeps does not depend on the time, unless it reads the clock", arguments: [false, true])
    func sleeping(readsClock: Bool) {
        struct Lamp: Model {
            struct State: Hashable { var isOn = false, seconds = 0 }
            let context: ModelContext<Lamp>
            func toggle(_ readsClock: Bool) {
                let state = context.state
                state.isOn.toggle()
                state.seconds = 0
                guard state.isOn else { return cancelAll(for: "lamp") }
                task {
                    let clock = dependency(\.clock)
                    while state.seconds < 2 {
                        if readsClock { _ = clock.now }
                        try await clock.sleep(for: .seconds(1))
                        state.seconds += 1
                    }
                }
                .cancel(for: "lamp", cancelInFlight: true)
            }
        }
        let explorer = Explorer<Lamp.State, Int?>(events: [1]) { world in
            world.driving(Store<Lamp>(initialState: .init(), scheduler: world.scheduler)) { _, lamp in
                lamp.toggle(readsClock)
            }
        }
        let exploration = explorer.explore(depth: 20, .init(stepLimit: 2_000))
        #expect(exploration.isComplete == !readsClock, "\(exploration) \(exploration.parts)")
        #expect(Set(exploration.states.map(\.seconds)) == [0, 1, 2])
    }

    @Test("Sequences that are handled at different places are different configurations")
    func sequences() {
        struct Switch: Model {
            struct State: Hashable { var shown = 0 }
            enum Call: Hashable { case listenForOne, listenForTwo, fire }
            let context: ModelContext<Switch>
            func perform(_ call: Call) {
                let state = context.state
                switch call {
                case .listenForOne: forEach(events(ofType: Int.self)) { _ in state.shown = 1 }
                case .listenForTwo: forEach(events(ofType: Int.self)) { _ in state.shown = 2 }
                case .fire: send(0)
                }
            }
        }
        let explorer = Explorer<Switch.State, Switch.Call?>(events: [.listenForOne, .listenForTwo, .fire]) {
            world in
            let store = Store<Switch>(initialState: .init(), scheduler: world.scheduler)
            return world.driving(store) { call, model in model.perform(call) }
        }
        let exploration = explorer.check(depth: 2, mustBeComplete: false)
        #expect(Set(exploration.states.map(\.shown)) == [0, 1, 2])
    }

    @Test("What models remember beside the state is a part of configurations")
    func properties() {
        struct Memory: Model {
            struct State: Hashable { var shown = 0 }
            enum Call: Hashable { case remember, show }
            let context: ModelContext<Memory>
            static let count = ModelProperty(0)
            func perform(_ call: Call) {
                let count = property(Self.count)
                switch call {
                case .remember: count.value = min(count.value + 1, 3)
                case .show: context.state.shown = count.value
                }
            }
        }
        let explorer = Explorer<Memory.State, Memory.Call?>(events: [.remember, .show]) { world in
            let store = Store<Memory>(initialState: .init(), scheduler: world.scheduler)
            return world.driving(store) { call, memory in memory.perform(call) }
        }
        let exploration = explorer.check(depth: 30)
        #expect(exploration.gaps == [])
        #expect(Set(exploration.states.map(\.shown)) == [0, 1, 2, 3])
    }

    private static let volume = ModelProperty(1)

    @Test("What models of equal text remember is told apart in an exploration")
    func equalTexts() {
        struct Tag: Hashable, CustomStringConvertible {
            let number: Int
            var description: String { "tag" }
        }
        struct Slip: Model {
            struct State: Hashable, Identifiable { let id: Tag }
            let context: ModelContext<Slip>
        }
        let fixture = Fixture<[Slip]>([.init(id: .init(number: 1)), .init(id: .init(number: 2))])
        let (first, second) = (fixture.model[0], fixture.model[1])
        second.property(Self.volume).value = 2
        fixture.scheduler.advance()
        let before = fixture.store.inspection.remembered
        first.property(Self.volume).value = 3
        fixture.scheduler.advance()
        #expect(before != nil && before != fixture.store.inspection.remembered)
    }
}

struct Finder: Model {
    struct State: Hashable { var text = "", result = "", cancels = false }
    enum Call: Hashable { case type(String), clear }
    let context: ModelContext<Finder>
    private var state: ModelState<Self> { context.state }

    func type(_ text: String) {
        state.text = text
        if state.cancels { cancelAll(for: "search") }
        task {
            state.result = try await dependency(SearchKey.self)(text).value
        } catch: { _ in
            state.result = ""
        }
        .cancel(for: "search")
    }

    func clear() {
        if state.cancels { cancelAll(for: "search") }
        state.update { ($0.text, $0.result) = ("", "") }
    }
}

enum SearchKey: DependencyKey {
    static let liveValue: @Sendable (String) -> Promise<String> = { .value($0) }
}
