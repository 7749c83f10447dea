import Promise
import PromisedModelsTesting
import Testing

/// Events that are not `Equatable`, and preferences.
struct ReceivingTests {
    @Test("OS-55: an event that is not Equatable is received by a condition, or by its case")
    func conditions() {
        let reports = TestReport.collect {
            let test = TestStore<Editor>(initialState: .init())
            let editor = test.model
            editor.perform { editor in
                editor.send(.saved(text: "a"))
                editor.send(.failed(Failure()))
                editor.send(.saved(text: "b"))
            }
            editor.receive { if case .failed = $0 { true } else { false } }
            #expect(editor.receive(Editor.Event.saved) == "a")
            editor.receive { event in if case .saved(let text) = event { text == "b" } else { false } }
            test.finish()
        }
        #expect(reports.map(\.message) == [])
    }

    @Test("OS-55: an event that no condition and no case fits is a failure, which lists what is left")
    func wrongConditions() {
        let reports = TestReport.collect {
            let test = TestStore<Editor>(initialState: .init(), exhaustivity: .off)
            let editor = test.model
            editor.receive { _ in true }
            editor.perform { $0.send(.saved(text: "a")) }
            editor.receive { if case .failed = $0 { true } else { false } }
            #expect(editor.receive(Editor.Event.closed) == nil)
            test.finish()
        }
        #expect(
            reports.map(\.message) == [
                """
                Editor has not sent an event that satisfies the condition.

                There is no event left to receive.
                """,
                """
                Editor has not sent an event that satisfies the condition.

                These are left to receive:

                    saved(text: "a"), sent by Editor
                """,
                """
                Editor has not sent an event of the case.

                These are left to receive:

                    saved(text: "a"), sent by Editor
                """,
            ])
    }

    @Test("OS-55: a condition concerns the model that has sent the event")
    func sender() {
        let reports = TestReport.collect {
            let test = TestStore<App>(initialState: .rows(1, 2))
            test.model.child { $0.rows[1] }.perform { $0.send(.rename("b")) }
            test.model.child { $0.rows[0] }.receive { $0 == .rename("b") }
            test.model.child { $0.rows[1] }.receive { $0 == .rename("b") }
            test.finish()
        }
        #expect(
            reports.map(\.message) == [
                """
                Row has not sent an event that satisfies the condition.

                These are left to receive:

                    rename("b"), sent by Row
                """
            ])
    }

    @Test("OS-56: a preference is accounted for by the model that has set it, and by those above that")
    func preferences() {
        let reports = TestReport.collect {
            let test = TestStore<App>(initialState: .rows(1, 2, 3))
            let rows = test.model.model.rows
            for row in rows { row.setPreference(Unsaved.self, 2) }
            test.model.child { _ in rows[0] }.assertPreference(Unsaved.self, 2)
            test.finish()
        }
        let message = "Row has set the preference Unsaved, which was not asserted."
        #expect(reports.map(\.message) == [message, message])
    }

    @Test(
        "OS-56: the preference of a model that was removed meanwhile is accounted for by those that were above"
    )
    func preferenceOfRemoved() {
        let reports = TestReport.collect {
            let test = TestStore<App>(initialState: .rows(1))
            test.model.model.rows[0].setPreference(Unsaved.self, 2)
            test.model.perform { $0.state.rows = [] }
            test.model.assert { $0.rows = [] }
            test.model.assertPreference(Unsaved.self, 0)
            test.finish()
        }
        #expect(reports.map(\.message) == [])
    }

    @Test("A preference that is not as expected is a failure")
    func wrongPreference() {
        let reports = TestReport.collect {
            let test = TestStore<App>(initialState: .rows(1))
            test.model.model.rows[0].setPreference(Unsaved.self, 2)
            test.model.assertPreference(Unsaved.self, 3)
            test.finish()
        }
        #expect(
            reports.map(\.message) == [
                """
                The preference Unsaved of App is not as expected. From what was expected to what it is:

                    3 → 2
                """
            ])
    }
}

private struct Editor: Model {
    struct State: Equatable { var text = "" }
    enum Event {
        case saved(text: String), failed(any Error), closed(Int)

        static let saved = CasePath<Event, String>(embed: Event.saved) {
            if case .saved(let text) = $0 { text } else { nil }
        }
        static let closed = CasePath<Event, Int>(embed: Event.closed) {
            if case .closed(let code) = $0 { code } else { nil }
        }
    }
    let context: ModelContext<Editor>
}
