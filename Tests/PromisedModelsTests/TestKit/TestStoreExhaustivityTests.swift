import PromisedModelsTesting
import Testing

/// What has to be accounted for, and what accounts for it.
struct TestStoreExhaustivityTests {
    /// Does everything when it is activated.
    private struct Eager: Model {
        struct State: Equatable { var count = 0 }
        enum Event: Equatable { case began }
        let context: ModelContext<Eager>
        func onActivate() {
            context.state.count = 1
            send(.began)
        }
    }

    @Test("OS-56: a preference that was set several times is reported once")
    func preferenceTwice() {
        let reports = TestReport.collect {
            let test = TestStore<App>(initialState: .rows(1))
            for value in 1...3 { test.model.model.rows[0].setPreference(Unsaved.self, value) }
            test.finish()
        }
        #expect(reports.map(\.message) == ["Row has set the preference Unsaved, which was not asserted."])
    }

    @Test("OS-56: what is left over is reported once, though the test is finished twice")
    func finishedTwice() {
        let reports = TestReport.collect {
            let test = TestStore<Counter>(initialState: .init())
            test.model.perform { $0.increment() }
            test.finish()
            test.finish()
        }
        #expect(reports.count == 1)
    }

    @Test("OS-56: asserting a preference accounts for no other")
    func otherPreference() {
        let reports = TestReport.collect {
            let test = TestStore<App>(initialState: .rows(1))
            let row = test.model.model.rows[0]
            row.setPreference(Unsaved.self, 1)
            row.setPreference(Badge.self, 2)
            test.model.assertPreference(Unsaved.self, 1)
            test.finish()
        }
        #expect(reports.map(\.message) == ["Row has set the preference Badge, which was not asserted."])
    }

    @Test("OS-56: what models do when they are activated has to be accounted for")
    func activation() {
        let reports = TestReport.collect { TestStore<Eager>(initialState: .init()).finish() }
        #expect(reports.count == 2)
        #expect(reports.first?.message.contains("count: 0 → 1") == true)
        #expect(reports.last?.message == "Eager has sent began, which was not received.")
        #expect(
            TestReport.collect {
                let test = TestStore<Eager>(initialState: .init())
                test.model.assert { $0.count = 1 }
                test.model.receive(.began)
                test.finish()
            }.isEmpty)
    }

    @Test("OS-53: what a method has started has run as far as it can when it was performed")
    func performing() {
        let reports = TestReport.collect {
            let test = TestStore<Counter>(initialState: .init())
            test.model.perform { counter in _ = counter.task { counter.increment() } }
            #expect(test.model.count == 1)
            test.model.assert { $0.count = 1 }
            test.finish()
        }
        #expect(reports.isEmpty)
    }

    @Test("States have to be asserted completely if states alone have to be accounted for")
    func statesAlone() {
        let reports = TestReport.collect {
            let test = TestStore<Counter>(initialState: .init(), exhaustivity: .states)
            test.model.perform { $0.state.update { $0 = .init(count: 1, other: 5) } }
            test.model.assert { $0.count = 1 }
            test.finish()
        }
        #expect(reports.count == 1)
        #expect(reports.first?.message.contains("other: 0 → 5") ?? false)
    }

    @Test("Two preferences of one model have both to be asserted")
    func twoPreferences() {
        let reports = TestReport.collect {
            let test = TestStore<App>(initialState: .rows(1))
            let row = test.model.model.rows[0]
            row.setPreference(Unsaved.self, 1)
            row.setPreference(Badge.self, 2)
            test.finish()
        }
        #expect(
            reports.map(\.message) == [
                "Row has set the preference Unsaved, which was not asserted.",
                "Row has set the preference Badge, which was not asserted.",
            ])
    }
}
