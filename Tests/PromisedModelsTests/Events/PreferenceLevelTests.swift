import PromisedModels
import PromisedTesting
import Testing

/// Preferences that are read at every level above the models that set them, again and again.
struct PreferenceLevelTests {
    enum Names: PreferenceKey {
        static var defaultValue: String { "" }
        static func reduce(_ value: inout String, with next: String) { value += next }
    }

    struct Leaf: Model {
        struct State: Equatable, Identifiable { let id: String }
        let context: ModelContext<Leaf>
        func onActivate() { setPreference(Names.self, context.state.id) }
    }

    struct Branch: Model {
        struct State: Equatable { var leaves = ["a", "b", "c"].map { Leaf.State(id: $0) } }
        let context: ModelContext<Branch>
        static let children: [Child<Branch>] = [.each(\.leaves, Leaf.self)]
        var leaves: [Leaf] { children(\.leaves) }
    }

    struct Stem: Model {
        struct State: Equatable { var branch = Branch.State() }
        let context: ModelContext<Stem>
        static let children: [Child<Stem>] = [.one(\.branch, Branch.self)]
        var branch: Branch { child(\.branch) }
    }

    struct Tree: Model {
        struct State: Equatable { var stem = Stem.State() }
        let context: ModelContext<Tree>
        static let children: [Child<Tree>] = [.one(\.stem, Stem.self)]
        var stem: Stem { child(\.stem) }
    }

    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let expected: String
        let make: @Sendable (Branch) -> Void
    }

    static let changes: [Change] = [
        .init(testDescription: "set", expected: "axc") { $0.leaves[1].setPreference(Names.self, "x") },
        .init(testDescription: "taken away", expected: "ac") { $0.leaves[1].setPreference(Names.self, nil) },
        .init(testDescription: "removed", expected: "ac") { $0.context.state.leaves.remove(at: 1) },
        .init(testDescription: "moved", expected: "cba") { $0.context.state.leaves.swapAt(0, 2) },
        .init(testDescription: "added", expected: "adbc") {
            $0.context.state.leaves.insert(.init(id: "d"), at: 1)
        },
        .init(testDescription: "dismissed", expected: "bc") { $0.leaves[0].dismiss() },
    ]

    @Test(
        "What is below is another value after a change, at each level, read and in streams",
        arguments: changes)
    func levels(_ change: Change) {
        let fixture = Fixture<Tree>(.init())
        let (tree, notes) = (fixture.model, fixture.notes)
        let (stem, branch) = (tree.stem, tree.stem.branch)
        func read() -> [String] {
            [tree.preference(Names.self), stem.preference(Names.self), branch.preference(Names.self)]
        }
        tree.forEach(tree.preferences(of: Names.self)) { notes.add("tree \($0)") }
        stem.forEach(stem.preferences(of: Names.self)) { notes.add("stem \($0)") }
        branch.forEach(branch.preferences(of: Names.self)) { notes.add("branch \($0)") }
        fixture.scheduler.advance()
        #expect(read() == ["abc", "abc", "abc"])
        let heard = fixture.after { _ in change.make(branch) }
        #expect(heard.sorted() == ["branch", "stem", "tree"].map { "\($0) \(change.expected)" })
        #expect(read() == Array(repeating: change.expected, count: 3))
    }
}
