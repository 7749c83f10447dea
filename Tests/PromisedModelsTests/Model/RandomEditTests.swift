import Promise
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// A tree three levels deep is edited at random, and compared with a plain model of it.
@Suite(.tags(.sharedState)) struct RandomEditTests {
    @Test("Lifetimes are exact: random edits of a tree three levels deep", arguments: 1...10)
    func edits(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (scheduler, living) = (TestScheduler(), Living())
        var store: Store<Forest>? = Store<Forest>(initialState: .init(), scheduler: scheduler) {
            $0.living = living
        }
        scheduler.advance()
        for _ in 0..<rounds(200, stress: 1_000) {
            guard let model = store?.model else { return }
            let before = living.numbers
            Edits.one(of: model, &random)
            scheduler.advance()
            guard let state = store?.state else { return }
            let expected = Living.places(of: state)
            #expect(living.places == expected)
            #expect(living.tasks == expected.count)
            // What was there before and is there now has not begun again.
            #expect(living.numbers.allSatisfy { before[$0] == nil || before[$0] == $1 })
            #expect(living.problems == [])
        }
        store = nil
        #expect(living.places == [])
        scheduler.advance()
        #expect(living.tasks == 0)
        scheduler.finish()
    }
}

/// What is alive: the places of the models that were activated and have not been deactivated.
final class Living: Sendable {
    private struct State: Sendable {
        var places: [String: Int] = [:]
        var tasks = 0
        var problems: [String] = []
        var count = 0
    }

    private let state = Lock(State())

    var places: Set<String> { state.withLock { Set($0.places.keys) } }
    var tasks: Int { state.withLock { $0.tasks } }
    var problems: [String] { state.withLock { $0.problems } }
    /// When the model at each place began, as a number.
    var numbers: [String: Int] { state.withLock { $0.places } }

    func began(_ place: String) {
        state.withLock { state in
            state.count += 1
            if state.places.updateValue(state.count, forKey: place) != nil {
                state.problems.append("\(place) was activated twice")
            }
        }
    }

    func ended(_ place: String) {
        state.withLock { state in
            if state.places.removeValue(forKey: place) == nil {
                state.problems.append("\(place) ended twice")
            }
        }
    }

    func taskBegan() { state.withLock { $0.tasks += 1 } }
    func taskEnded() { state.withLock { $0.tasks -= 1 } }

    /// The places of all states, by the identities on the way; those with an identity that occurred before have none.
    static func places(of forest: Forest.State) -> Set<String> {
        var all: Set<String> = ["forest"]
        var seen: Set<Int> = []
        for tree in forest.trees where seen.insert(tree.id).inserted {
            all.formUnion(places(of: tree, "t\(tree.id)"))
        }
        if let star = forest.star { all.formUnion(places(of: star, "s\(star.id)")) }
        switch forest.season {
        case .bare: break
        case .fruit(let fruit): all.insert("f\(fruit.id)")
        case .leaf: all.insert("l")
        }
        return all
    }

    private static func places(of tree: Tree3.State, _ name: String) -> Set<String> {
        var all: Set<String> = [name]
        var seen: Set<Int> = []
        for fruit in tree.fruits where seen.insert(fruit.id).inserted { all.insert("\(name).f\(fruit.id)") }
        if let top = tree.top { all.insert("\(name).top\(top.id)") }
        return all
    }
}

enum LivingKey: DependencyKey {
    static var liveValue: Living { Living() }
}

extension DependencyValues {
    var living: Living {
        get { self[LivingKey.self] }
        set { self[LivingKey.self] = newValue }
    }
    var place: String {
        get { self[PlaceKey.self] }
        set { self[PlaceKey.self] = newValue }
    }
}

enum PlaceKey: DependencyKey {
    static let liveValue = ""
}

/// A model that notes its lifetime, and that of a task.
protocol Noted: Model {
    var ownName: String { get }
}

extension Noted {
    func begin() {
        let above = dependency(\.place)
        let place = above.isEmpty || above == "forest" ? ownName : above + "." + ownName
        override(\.place, with: place)
        let living = dependency(\.living)
        living.began(place)
        onCancel { living.ended(place) }
        task {
            living.taskBegan()
            defer { living.taskEnded() }
            try await dependency(\.clock).sleep(for: .seconds(1_000_000))
        }
    }
}

struct Forest: Noted {
    struct State: Equatable {
        var trees: [Tree3.State] = []
        var star: Tree3.State?
        var season = Season.bare
    }
    enum Season: Equatable {
        case bare, fruit(Fruit.State), leaf(Leaf.State)
        static let fruit = CasePath<Season, Fruit.State>(embed: Season.fruit) {
            if case .fruit(let it) = $0 { it } else { nil }
        }
        static let leaf = CasePath<Season, Leaf.State>(embed: Season.leaf) {
            if case .leaf(let it) = $0 { it } else { nil }
        }
    }
    let context: ModelContext<Forest>
    static let children: [Child<Forest>] = [
        .each(\.trees, Tree3.self), .optional(\.star, Star.self), .case(\.season, Season.fruit, Fruit.self),
        .case(\.season, Season.leaf, Leaf.self),
    ]
    var trees: [Tree3] { children(\.trees) }
    var ownName: String { "forest" }
    func onActivate() { begin() }
}

struct Tree3: Noted {
    struct State: Equatable, Identifiable {
        var id: Int
        var fruits: [Fruit.State] = []
        var top: Fruit.State?
        var height = 0
    }
    let context: ModelContext<Tree3>
    static let children: [Child<Tree3>] = [.each(\.fruits, Fruit.self), .optional(\.top, Top.self)]
    var ownName: String { "t\(context.state.id)" }
    func onActivate() { begin() }
}

struct Star: Noted {
    typealias State = Tree3.State
    let context: ModelContext<Star>
    static let children: [Child<Star>] = [.each(\.fruits, Fruit.self), .optional(\.top, Top.self)]
    var ownName: String { "s\(context.state.id)" }
    func onActivate() { begin() }
}

struct Fruit: Noted {
    struct State: Equatable, Identifiable {
        var id: Int
        var weight = 0
    }
    let context: ModelContext<Fruit>
    var ownName: String { "f\(context.state.id)" }
    func onActivate() { begin() }
}

struct Top: Noted {
    typealias State = Fruit.State
    let context: ModelContext<Top>
    var ownName: String { "top\(context.state.id)" }
    func onActivate() { begin() }
}

struct Leaf: Noted {
    struct State: Equatable { var size = 0 }
    let context: ModelContext<Leaf>
    var ownName: String { "l" }
    func onActivate() { begin() }
}

/// Random edits.
enum Edits {
    static func one(of forest: Forest, _ random: inout some RandomNumberGenerator) {
        let state = forest.context.state
        switch Int.random(in: 0..<16, using: &random) {
        case 0, 1:
            state.trees.insert(tree(&random), at: Int.random(in: 0...state.trees.count, using: &random))
        case 2:
            if !state.trees.isEmpty {
                state.trees.remove(at: Int.random(in: 0..<state.trees.count, using: &random))
            }
        case 3: state.trees.shuffle(using: &random)
        case 4: state.star = Bool.random(using: &random) ? tree(&random) : nil
        case 5:
            state.season =
                [
                    .bare, .fruit(.init(id: Int.random(in: 0..<3, using: &random))), .leaf(.init()),
                ].randomElement(using: &random) ?? .bare
        case 6:
            let (one, other) = (tree(&random), tree(&random))
            forest.transaction {
                state.trees.append(one)
                state.star = other
                if state.trees.count > 2 { state.trees.removeFirst() }
                // Above, at and below a tree, in any order: what is below it is compared once.
                for _ in 0..<Int.random(in: 0..<3, using: &random) {
                    if let tree = forest.trees.randomElement(using: &random),
                        state.trees.contains(where: { $0.id == tree.id })
                    {
                        edit(tree, &random)
                    }
                    if !state.trees.isEmpty, Bool.random(using: &random) { state.trees[0].height += 1 }
                }
            }
        case 7: state.update { $0.trees = $0.trees.filter { $0.id % 2 == 0 } }
        case 8: if state.trees.count > 4 { state.trees.removeLast(3) }
        default:
            guard let tree = forest.trees.randomElement(using: &random) else { return }
            edit(tree, &random)
        }
    }

    private static func edit(_ tree: Tree3, _ random: inout some RandomNumberGenerator) {
        let state = tree.context.state
        switch Int.random(in: 0..<7, using: &random) {
        case 0: state.id = Int.random(in: 0..<8, using: &random)
        case 1: state.height += 1
        case 2: state.fruits.append(fruit(&random))
        case 3: if !state.fruits.isEmpty { state.fruits.removeFirst() }
        case 4: state.top = Bool.random(using: &random) ? fruit(&random) : nil
        case 5: if !state.fruits.isEmpty { state.fruits[0].id = Int.random(in: 0..<5, using: &random) }
        default:
            let fruits: [Fruit] = tree.children(\.fruits)
            guard let fruit = fruits.randomElement(using: &random) else { return }
            fruit.context.state.weight += 1
            if Bool.random(using: &random) { fruit.context.state.id = Int.random(in: 0..<5, using: &random) }
        }
    }

    private static func tree(_ random: inout some RandomNumberGenerator) -> Tree3.State {
        Tree3.State(
            id: Int.random(in: 0..<8, using: &random),
            fruits: (0..<Int.random(in: 0..<3, using: &random)).map { _ in fruit(&random) },
            top: Bool.random(using: &random) ? fruit(&random) : nil)
    }

    private static func fruit(_ random: inout some RandomNumberGenerator) -> Fruit.State {
        Fruit.State(id: Int.random(in: 0..<5, using: &random))
    }
}
