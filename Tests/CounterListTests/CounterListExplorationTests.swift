import Foundation
import PromisedExploring
import PromisedModelsTesting
import TestSupport
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

    /// Two rows and two prompts take six steps: two rows, two questions, two answers. Two more remove and dismiss. A
    /// plain run has one row with a prompt and its answer, and what may happen beside them.
    @Test("Every order of taps, answers, failures and removals is right")
    func everyOrder() {
        let depth = isStress ? 8 : 5
        let exploration = explorer().check(depth: depth, mustBeComplete: false)
        #expect(exploration.gaps == [.depth(depth)])
        if depth == 5 { #expect(exploration.configurations == 170) }
    }

    @Test("A prompt that another one replaces does not write its next fact into that")
    func twoPrompts() {
        explorer().replay(
            .send(.add), .send(.add), .send(.increment), .send(.fact(0)), .send(.fact(1)),
            .answer("fact 0", "a fact about 0"), .send(.another), .answer("fact 1", "a fact about 1"),
            .send(.remove(0)), .send(.dismiss))
    }
}
