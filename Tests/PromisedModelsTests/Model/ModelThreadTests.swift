import Promise
import PromisedModels
import PromisedTesting
import Synchronization
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct ModelThreadTests {
    @Test("Writers and readers on eight threads: no update is lost, and nothing is activated twice")
    func writers() async {
        let (living, scheduler) = (Living(), QueueScheduler.serial("models"))
        let store = Store<Forest>(
            initialState: .init(trees: (0..<4).map { Tree3.State(id: $0) }), scheduler: scheduler
        ) { $0.living = living }
        let forest = store.model
        let trees = forest.trees
        let steps = rounds(150, stress: 1_000)
        func counting(_ tree: Tree3) -> @Sendable (Int) -> Void {
            { _ in for _ in 0..<steps { tree.context.state.height += 1 } }
        }
        func editing(_ id: Int) -> @Sendable (Int) -> Void {
            { _ in
                for step in 0..<steps / 5 {
                    forest.context.state.update {
                        $0.trees.insert(.init(id: id), at: step % 2 * $0.trees.count)
                    }
                    forest.child(\.trees, id: id).map { (tree: Tree3) in
                        tree.context.state.fruits = [.init(id: 1)]
                    }
                    forest.context.state.update { $0.trees.removeAll { $0.id == id } }
                }
            }
        }
        race(
            1, counting(trees[0]), counting(trees[0]), counting(trees[1]), counting(trees[1]), editing(100),
            editing(200),
            { _ in for _ in 0..<steps { _ = forest.trees.reduce(0) { $0 + $1.height } } },
            { _ in
                for _ in 0..<steps / 5 {
                    forest.transaction {
                        trees[2].context.state.height += 1
                        trees[3].context.state.height -= 1
                    }
                }
            })
        #expect(trees.map(\.height) == [2 * steps, 2 * steps, steps / 5, -steps / 5])
        #expect(store.state.trees.map(\.id) == [0, 1, 2, 3])
        // What was enqueued before has been performed when this is.
        await withCheckedContinuation { continuation in scheduler.schedule { continuation.resume() } }
        #expect(living.problems == [])
        #expect(living.places == ["forest", "t0", "t1", "t2", "t3"])
    }

    @Test("A transaction is seen whole or not at all by other threads")
    func transactions() {
        let fixture = Fixture<Counter>(.init())
        let model = fixture.model
        let torn = Atomic(0)
        let steps = rounds(500, stress: 5_000)
        race(
            1,
            { _ in
                for step in 1...steps {
                    model.transaction {
                        model.state.count = step
                        model.state.other = -step
                    }
                }
            },
            { _ in
                for _ in 0..<steps {
                    let state = model.nonObservableState
                    if state.count + state.other != 0 { torn.wrappingAdd(1, ordering: .relaxed) }
                }
            })
        #expect(torn.load(ordering: .relaxed) == 0)
    }

    @Test("A store that is released while others write and subscribe ends all, and calls nothing afterwards")
    func release() {
        for _ in 0..<rounds(20, stress: 200) {
            let living = Living()
            let store = Lock<Store<Forest>?>(
                Store<Forest>(
                    initialState: .init(trees: [.init(id: 1)]), scheduler: QueueScheduler.serial("release")
                ) { $0.living = living })
            let forest = ModelReference(store.withLock { $0! }.model)
            race(
                1, { _ in store.exchange(for: nil) },
                { _ in
                    for id in 2..<6 { forest.model?.context.state.trees.append(.init(id: id)) }
                },
                { _ in _ = forest.model?.trees.first?.values(of: \.height) })
            #expect(forest.model == nil)
        }
    }
}
