import Foundation
import PromisedExploring
import PromisedModelsTesting
import Testing

@testable import CounterList

/// Every order of taps, answers, failures and removals.
struct CounterListExplorationTests {
    enum Tap: Hashable { case add, increment, fact(Int), remove(Int), dismissAlert, another, dismiss }

    private func explorer() -> Explorer<AppModel.State, Tap?> {
        Explorer(
            events: [.add, .increment, .fact(0), .fact(1), .remove(0), .dismissAlert, .another, .dismiss]
        ) { world in
            world.always("a fact belongs to its number") { state in
                state.factPrompt.map { $0.fact == "a fact about \($0.count)" } ?? true
            }
            world.atRest("nothing is loading") { $0.factPrompt?.isLoading != true }
            world.sometimes("an alert") { $0.counters.contains { $0.counter.alert != nil } }
            world.sometimes("a prompt without its counter") { $0.factPrompt != nil && $0.counters.isEmpty }
            let ids = world.variable(0)
            let store = Store<AppModel>(initialState: .init(), scheduler: world.scheduler) {
                $0.factClient.fetch = { number in
                    try await world.call(
                        "fact \(number)", .value("a fact about \(number)"), .error(NoFact())
                    ).value
                }
                $0.uuid = UUIDSource {
                    ids.value += 1
                    return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(ids.value)))
                }
            }
            return world.driving(store) { tap, app in
                let rows = app.counters
                switch tap {
                case .add: if rows.count < 2 { app.addButtonTapped() }
                case .increment: if rows.first?.counter.count == 0 { rows[0].counter.incrementTapped() }
                case .fact(let row): if rows.indices.contains(row) { rows[row].counter.factButtonTapped() }
                case .remove(let row): if rows.indices.contains(row) { rows[row].removeButtonTapped() }
                case .dismissAlert: rows.first?.counter.alertDismissed()
                case .another: app.factPrompt?.getFactButtonTapped()
                case .dismiss: app.factPrompt?.dismissTapped()
                }
            }
        }
    }

    @Test("Every order of taps, answers, failures and removals is right")
    func everyOrder() {
        for depth in 1...6 {
            let e = explorer().explore(depth: depth, .init(timeLimit: .seconds(60)))
            print("C", depth, e.gaps, e.configurations, e.transitions, e.counterexample as Any)
        }
    }
}
