import Dispatch
import PromisedExploring
import PromisedSystem
import Synchronization
import Testing

/// What the diagram, the coverage and the page are drawn from.
@Suite struct SharedDrawingTests {
    private final class Builds: Sendable {
        private let builds = Atomic(0)

        var count: Int { builds.load(ordering: .relaxed) }

        func explorer() -> Explorer<Saving.State, Saving.Event> {
            Explorer(events: [.save, .cancel]) { world in
                self.builds.add(1, ordering: .relaxed)
                world.always("not failed") { $0 != .failed }
                return System(
                    initialState: .clean, scheduler: world.scheduler,
                    reducer: Reducer { $0 = $1 == .save ? .saving : .clean })
            }
        }
    }

    @Test("the exploration is repeated for the first of them only")
    func once() {
        let builds = Builds()
        let exploration = builds.explorer().explore(depth: 3, .init(audit: 0))
        let explored = builds.count
        let diagram = exploration.diagram()
        let drawn = builds.count
        #expect(drawn == 2 * explored)
        let copy = exploration
        #expect(copy.diagram() == diagram)
        #expect(copy.coverage.missing.isEmpty)
        #expect(exploration.html() == exploration.html(diagram: diagram))
        #expect(builds.count == drawn)
    }

    @Test("the exploration is not repeated until one of them is requested, and a continued one has its own")
    func lazily() {
        let builds = Builds()
        let exploration = builds.explorer().explore(depth: 1)
        let explored = builds.count
        _ = (exploration.counterexample, exploration.description, exploration.junit())
        #expect(builds.count == explored)
        _ = exploration.coverage
        let further = exploration.continued(depth: 3)
        let continued = builds.count
        #expect(further.diagram().nodes.map(\.name) == ["clean", "saving"])
        #expect(builds.count > continued)
    }

    @Test("threads that request them at the same time get the same")
    func threads() {
        let exploration = Saving.explorer().explore(depth: 6)
        let expected = Saving.explorer().explore(depth: 6).diagram()
        let isSame = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            if exploration.diagram() == expected { isSame.add(1, ordering: .relaxed) }
        }
        #expect(isSame.load(ordering: .relaxed) == 8)
    }
}
