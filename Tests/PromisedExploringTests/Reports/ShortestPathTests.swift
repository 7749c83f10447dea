import PromisedExploring
import PromisedSystem
import Testing

@Suite struct ShortestPathTests {
    /// A save that takes a call, may fail, and counts the attempts.
    private struct Form: Hashable {
        enum Phase: Hashable, CaseIterable { case editing, saving, saved, failed, lost }
        var phase = Phase.editing, attempts = 0
    }
    private enum Event: Hashable { case save, edit, saved, failed }

    private static let explorer = Explorer<Form, Event>(events: [.edit, .save]) { world in
        System(
            initialState: Form(), scheduler: world.scheduler,
            reducer: Reducer { form, event in
                switch event {
                case .save where form.phase != .saving:
                    (form.phase, form.attempts) = (.saving, min(form.attempts + 1, 3))
                case .saved: form.phase = .saved
                case .failed: form.phase = .failed
                case .edit where form.phase != .saving: form.phase = .editing
                default: break
                }
            },
            feedbacks: [
                .whenBecomesTrue(state: { $0.phase == .saving }) { _ in
                    world.call("save", .value(Event.saved), .value(.failed, named: "refused"))
                }
            ])
    }

    @Test("each transition has its shortest steps, those with the fewest first")
    func paths() {
        let found = Self.explorer.check(depth: 30, mustBeComplete: true).shortestPaths(by: \.phase)
        #expect(
            found.map { "\($0.from) → \($0.to), \($0.cause): \($0.steps.count)" } == [
                "editing → saving, save: 1", "saving → saved, save → saved: 2",
                "saving → failed, save → refused: 2", "saved → editing, edit: 3",
                "failed → editing, edit: 3", "saved → saving, save: 3", "failed → saving, save: 3",
            ])
    }

    @Test("the steps of a path are a script, and end with the transition")
    func scripts() {
        for path in Self.explorer.check(depth: 30).shortestPaths(by: \.phase) {
            let entries = Self.explorer.replay(path.steps)
            #expect(entries.map(\.step) == path.steps)
            #expect(entries.last?.shown.last.map { "\($0.state.phase)" } == path.to)
        }
    }

    @Test("by the whole state, a transition for each two states; none of a state to itself")
    func whole() {
        let found = Self.explorer.check(depth: 30).shortestPaths(by: { $0 })
        #expect(Set(found.map { [$0.from, $0.to, $0.cause] }).count == found.count)
        #expect(found.allSatisfy { $0.from != $0.to })
        #expect(found.map(\.steps.count) == found.map(\.steps.count).sorted())
        #expect(found.count > 7)
    }

    @Test("a longer path that is found first is not taken", arguments: [[1, 10], [10, 1]])
    func shortest(_ events: [Int]) {
        let explorer = Explorer<Int, Int>(events: events) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = min($0 + $1, 12) })
        }
        let found = explorer.check(depth: 20, mustBeComplete: true).shortestPaths(by: { $0 > 10 })
        #expect(found.map(\.steps.count) == [2, 2])
    }

    @Test("a text of the transition and its steps")
    func text() {
        let found = Self.explorer.check(depth: 30).shortestPaths(by: \.phase)
        #expect(
            found.first?.description == """
                editing → saving, by save:

                    1. .send(.save)
                        phase: .editing → .saving, attempts: 0 → 1
                """)
    }

    @Test("coverage by a part of the state: its cases are known, and its transitions")
    func coverage() {
        let exploration = Self.explorer.check(depth: 30, mustBeComplete: true)
        let found = exploration.coverage(by: \.phase)
        #expect(found.missing.map(\.description) == ["state lost: unreachable"])
        #expect(exploration.coverage.items.allSatisfy { $0.kind != .state })
        #expect(
            exploration.coverage(by: \.attempts).items.filter { $0.kind == .state }.map(\.name)
                == ["0", "1", "2", "3"])
        let texts = failures { exploration.expectCoverage(by: \.phase) }
        #expect(texts.count == 1 && texts[0].contains("    state lost: unreachable\n"))
        #expect(failures { exploration.expectCoverage(by: \.phase, except: ["state lost"]) }.isEmpty)
    }
}
