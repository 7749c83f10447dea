import Promise
import PromisedModelsTesting
import Testing

struct TestModelTests {
    @Test("OS-53: a state that is not as expected is one failure, which shows the difference")
    func wrongState() {
        let reports = TestReport.collect {
            let test = TestStore<Counter>(initialState: .init())
            test.model.model.increment()
            test.model.assert { $0.count = 2 }
            test.finish()
        }
        #expect(reports.count == 1)
        #expect(reports[0].message.contains("count: 2 → 1"))
        #expect(
            TestReport.collect {
                let test = TestStore<Counter>(initialState: .init())
                test.model.model.increment()
                test.model.assert { $0.count = 1 }
                test.finish()
            }.isEmpty)
    }

    @Test("OS-54: a part can be asserted, and the rest is reported at the end")
    func part() {
        let reports = TestReport.collect {
            let test = TestStore<Counter>(initialState: .init())
            test.model.model.increment()
            test.model.model.state.other = 5
            test.model.assert(\.count, 1)
            test.finish()
        }
        #expect(reports.count == 1)
        #expect(reports[0].message.contains("other: 0 → 5"))
    }

    @Test("OS-55: events are received in any order, each once; one that is absent is a failure")
    func events() {
        let reports = TestReport.collect {
            let test = TestStore<Row>(initialState: .init(id: 1))
            test.model.model.send(.remove)
            test.model.model.send(.rename("a"))
            test.model.receive(.rename("a"))
            test.model.receive(.remove)
            test.model.receive(.remove)
            test.finish()
        }
        #expect(reports.map(\.message) == ["Row has not sent remove.\n\nThere is no event left to receive."])
    }

    @Test("OS-56: what is left over is reported with the name of the model")
    func leftOver() {
        let reports = TestReport.collect {
            let test = TestStore<App>(initialState: .rows(1))
            let row = test.model.model.rows[0]
            row.task { try await row.dependency(\.clock).sleep(for: .seconds(100)) }
            row.send(.remove)
            row.setPreference(Unsaved.self, 1)
            row.state.title = "x"
            _ = test
        }
        #expect(reports.count == 4)
        #expect(reports.contains { $0.message.contains("Row has a task that is still running") })
        #expect(reports.contains { $0.message.contains("Row has sent remove") })
        #expect(reports.contains { $0.message.contains("Row has set the preference Unsaved") })
        #expect(reports.contains { $0.message.contains("title") })
    }

    @Test(
        "A task that waits for the next element of a sequence is not left over; one that handles an element is"
    )
    func sequences() {
        for isBusy in [false, true] {
            for cancelPrevious in [false, true] {
                let reports = TestReport.collect {
                    let test = TestStore<Counter>(initialState: .init())
                    let model = test.model.model
                    model.forEach(model.changes(of: \.count), cancelPrevious: cancelPrevious) { _ in
                        if isBusy { try await model.dependency(\.clock).sleep(for: .seconds(100)) }
                    }
                    test.advance()
                    model.increment()
                    test.model.assert { $0.count = 1 }
                    test.finish()
                }
                #expect(reports.count == (isBusy ? 1 : 0))
            }
        }
    }

    @Test("OS-57: what has to be complete can be chosen; the rest is silent, or a note")
    func exhaustivity() {
        func reports(_ exhaustivity: Exhaustivity, showsSkipped: Bool) -> [TestReport] {
            TestReport.collect {
                let test = TestStore<Row>(initialState: .init(id: 1), exhaustivity: exhaustivity)
                test.showsSkipped = showsSkipped
                let row = test.model.model
                row.task { try await row.dependency(\.clock).sleep(for: .seconds(100)) }
                row.send(.remove)
                row.state.title = "x"
                test.finish()
            }
        }
        #expect(reports(.states, showsSkipped: false).map(\.kind) == [.failure])
        #expect(reports(.off, showsSkipped: false).isEmpty)
        #expect(reports(.states, showsSkipped: true).map(\.kind) == [.failure, .note, .note])
        #expect(reports([.events, .effects], showsSkipped: false).count == 2)
    }

    @Test("OS-58: a child is a model under test as soon as the state has it")
    func children() throws {
        let reports = TestReport.collect {
            let test = TestStore<App>(initialState: .init())
            test.model.perform { $0.state.rows.append(.init(id: 1)) }
            test.model.assert { $0.rows = [.init(id: 1)] }
            let row = try? test.model.child { app in try #require(app.rows.first) }
            row?.perform { $0.state.title = "new" }
            row?.assert(\.title, "new")
            row?.child(\.counter).perform { $0.increment() }
            row?.child(\.counter).assert { $0.count = 1 }
            #expect(row?.title == "new")
            test.finish()
        }
        #expect(reports.map(\.message) == [])
    }

    @Test("OS-58: a row that was added can be asserted at once; that it was added still has to be")
    func addedRow() {
        let reports = TestReport.collect {
            let test = TestStore<App>(initialState: .init())
            test.model.perform { $0.state.rows.append(.init(id: 1, title: "new")) }
            let row = test.model.child { $0.rows[0] }
            row.assert(\.title, "new")
            row.assert { $0.title = "new" }
            row.assert(\.title, "old")
            test.finish()
        }
        #expect(reports.count == 2)
        #expect(reports[0].message.contains("\"old\" → \"new\""))
        #expect(reports[1].message.contains("The state has changes that were not asserted"))
    }

    @Test("States that are not Equatable are compared by reflection")
    func notEquatable() {
        struct Plain: Model {
            struct State: Sendable {
                var names: [String] = []
                var count = 0
            }
            let context: ModelContext<Plain>
        }
        let reports = TestReport.collect {
            let test = TestStore<Plain>(initialState: .init())
            test.model.perform { $0.context.state.names = ["a"] }
            test.model.assert { $0.names = ["a"] }
            test.model.perform { $0.context.state.count = 2 }
            test.finish()
        }
        #expect(reports.count == 1)
        #expect(reports[0].message.contains("count: 0 → 2"))
    }

    @Test("Preferences and triggers are asserted")
    func preferences() {
        let reports = TestReport.collect {
            let test = TestStore<App>(initialState: .rows(1))
            test.model.model.rows[0].setPreference(Unsaved.self, 2)
            test.model.assertPreference(Unsaved.self, 2)
            test.model.model.trigger("reload")
            test.model.receive("reload")
            test.finish()
        }
        #expect(reports.map(\.message) == [])
    }
}
