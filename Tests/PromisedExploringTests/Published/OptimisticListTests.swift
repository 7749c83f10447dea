import PromisedExploring
import PromisedSystem
import Testing

/// A list whose changes are shown at once and sent afterwards, and which can be refreshed.
enum OptimisticList {
    enum Action: Hashable, Sendable {
        case delete(Int), lastToFront

        func apply(to rows: [Int]) -> [Int] {
            switch self {
            case .delete(let row): rows.filter { $0 != row }
            case .lastToFront: rows.suffix(1) + rows.dropLast()
            }
        }
    }

    struct Change: Hashable, Sendable {
        var action: Action
        /// Alternates, so that two equal actions in a row are two changes.
        var isSecond: Bool
    }

    struct State: Hashable, Sendable {
        var rows = [1, 2]
        /// The changes that the server has not answered yet.
        var changes: [Change] = []
        var isStale = false
    }

    enum Event: Hashable, Sendable {
        case change(Action), refresh, changed, failed, fetched([Int])
    }

    struct Offline: Error {}

    static let reducer = Reducer<State, Event> { state, event in
        switch event {
        case .change(let action):
            guard state.changes.count < 2 else { return }
            state.rows = action.apply(to: state.rows)
            state.changes.append(Change(action: action, isSecond: state.changes.last?.isSecond == false))
        case .refresh: state.isStale = true
        case .changed: state.changes.removeFirst()
        case .failed:
            state.changes.removeFirst()
            state.isStale = true
        case .fetched(let rows): (state.rows, state.isStale) = (rows, false)
        }
    }

    static func explorer(isMended: Bool) -> Explorer<State, Event> {
        Explorer(events: [.change(.delete(1)), .change(.lastToFront), .refresh]) { world in
            let server = world.variable([1, 2])
            world.atRest("the rows are those of the server") { $0.rows == server.value }
            let sending = Feedback<State, Event>.latest(state: { $0.changes.first }) { change in
                world.call(
                    "send \(change.action)",
                    .result("done") { server.value = change.action.apply(to: server.value) },
                    .error(Offline())
                )
                .map { .changed }.mapErrorRecover { _ in .failed }
            }
            // Planted: the rows are fetched while changes are in flight. Mended: only while none is.
            let fetching = Feedback<State, Event>.whenBecomesTrue(
                state: { $0.isStale && (!isMended || $0.changes.isEmpty) }
            ) { _ in
                world.call("fetch", .result("rows") { server.value }).map { .fetched($0) }
            }
            return System(
                initialState: State(), scheduler: world.scheduler, reducer: reducer,
                feedbacks: [sending, fetching])
        }
    }
}

// After the optimistic updates that Redux users and users of React Query write.
@Suite struct OptimisticListTests {
    @Test("a refresh brings back a deleted row: found in 4 steps")
    func planted() throws {
        let found = try #require(OptimisticList.explorer(isMended: false).explore(depth: 6).counterexample)
        #expect(
            found.steps == [
                .send(.change(.delete(1))), .send(.refresh), .answer("fetch", "rows"),
                .answer("send delete(1)", "done"),
            ])
    }

    @Test("a change cancels the refresh, which is repeated when all changes are sent: complete")
    func mended() {
        let exploration = OptimisticList.explorer(isMended: true).check(depth: 40)
        #expect(exploration.gaps == [])
    }
}
