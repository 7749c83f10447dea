import PromisedExploring
import PromisedSystem
import Testing

/// Elements whose work is the same are the same, in whatever order their work has begun.
@Suite struct ElementNumberTests {
    private struct Row: Sendable, Hashable {
        var isOn = false
    }

    @Test("rows with two feedbacks: as many configurations as sets of rows", arguments: [1, 2, 3])
    func rows(keys: Int) {
        let names = ["a", "b", "c"]
        let explorer = Explorer<[String: Row], Element>(events: names.map(Element.toggle)) { world in
            let toggled = CasePath<Element, (String, Bool)>(
                embed: { .toggle($0.0) }, extract: { ($0.name, true) })
            let rows = Elements(keyedIn: \[String: Row].self, event: toggled)
            let works = (0..<keys).map { key in
                Feedback<Row, Bool>.whilePresent(state: { $0.isOn ? key : nil }) { _ in
                    Effect { effect in effect.onCancel {} }
                }.lifted(byEach: rows)
            }
            return System(
                initialState: Dictionary(uniqueKeysWithValues: names.map { ($0, Row()) }),
                scheduler: world.scheduler,
                reducer: Reducer { state, event in state[event.name]?.isOn.toggle() }, feedbacks: works)
        }
        let found = explorer.explore(depth: 9, .init(audit: 1))
        #expect(found.counterexample == nil && found.configurations == 8, "\(found)")
        #expect(found.levels.map(\.configurations) == [1, 3, 3, 1], "\(found.levels)")
    }

    private enum Element: Sendable, Hashable {
        case toggle(String)

        var name: String {
            switch self {
            case .toggle(let name): name
            }
        }
    }
}
