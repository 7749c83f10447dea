import PromisedModels

/// A tree of models, three levels deep.
struct Root: Model {
    struct State: Equatable {
        var branches: [Branch.State]

        init(leaves: Int) {
            let count = max(1, leaves / 10)
            branches = (0..<count).map { Branch.State(id: $0) }
        }
    }
    let context: ModelContext<Root>
    static let children: [Child<Root>] = [.each(\.branches, Branch.self)]

    var branches: [Branch] { children(\.branches) }
    func insert(_ id: Int) {
        context.state.update { state in
            state.branches.insert(Branch.State(id: id), at: state.branches.count / 2)
        }
    }
}

struct Branch: Model {
    struct State: Equatable, Identifiable {
        let id: Int
        var name = ""
        var leaves = (0..<9).map { Leaf.State(id: $0) }
        var inner = Leaf.State(id: 0)
    }
    let context: ModelContext<Branch>
    static let children: [Child<Branch>] = [.each(\.leaves, Leaf.self)]

    var leaves: [Leaf] { children(\.leaves) }
}

struct Leaf: Model {
    struct State: Equatable, Identifiable {
        let id: Int
        var count = 0
        var other = 0
    }
    let context: ModelContext<Leaf>
    private var state: ModelState<Self> { context.state }

    func increment() { state.count += 1 }
}

/// A list of rows without children.
struct Roster: Model {
    struct State: Equatable { var rows: [Leaf.State] }
    let context: ModelContext<Roster>
    static let children: [Child<Roster>] = [.each(\.rows, Leaf.self)]

    var rows: [Leaf] { children(\.rows) }
    var lazyRows: ArrayModels<Leaf> { children(\.rows) }
    func row(_ id: Int) -> Leaf? { child(\.rows, id: id) }
    func insert(_ id: Int) {
        context.state.update { state in state.rows.insert(Leaf.State(id: id), at: state.rows.count / 2) }
    }
}

func tree(leaves: Int) -> (store: Store<Root>, leaf: Leaf) {
    let store = Store<Root>(initialState: .init(leaves: leaves), scheduler: .immediate)
    let branches = store.model.branches
    return (store, branches[branches.count / 2].leaves[4])
}

func table(rows: Int) -> Store<Roster> {
    Store<Roster>(
        initialState: .init(rows: (0..<rows).map { Leaf.State(id: $0) }), scheduler: .immediate)
}
