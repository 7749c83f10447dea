import PromisedModelsTesting
import PromisedModels
import PromisedTesting
import Testing

struct PreferenceTests {
    private enum Names: PreferenceKey {
        static var defaultValue: [String] { [] }
        static func reduce(_ value: inout [String], with next: [String]) { value += next }
    }

    @Test("Preferences are reduced in order: that of the model first, then those below it")
    func order() {
        let fixture = Fixture<App>(.rows(1, 2))
        let app = fixture.model
        app.rows[1].setPreference(Names.self, ["two"])
        app.rows[0].counter.setPreference(Names.self, ["counter"])
        app.rows[0].setPreference(Names.self, ["one"])
        app.setPreference(Names.self, ["app"])
        #expect(app.preference(Names.self) == ["app", "one", "counter", "two"])
    }

    @Test("A preference that is set to nil is none")
    func removal() {
        let fixture = Fixture<App>(.rows(1))
        let row = fixture.model.rows[0]
        row.setPreference(Unsaved.self, 2)
        row.setPreference(Unsaved.self, nil)
        #expect(fixture.model.preference(Unsaved.self) == 0)
    }

    @Test("The values of preferences have none that is equal to the one before")
    func equalValues() {
        let fixture = Fixture<App>(.rows(1))
        let (app, notes) = (fixture.model, fixture.notes)
        app.forEach(app.preferences(of: Unsaved.self)) { notes.add("\($0)") }
        #expect(fixture.after { _ in } == ["0"])
        #expect(fixture.after { $0.state.title = "x" } == [])
        #expect(fixture.after { $0.rows[0].setPreference(Unsaved.self, 2) } == ["2"])
        #expect(fixture.after { $0.rows[0].setPreference(Unsaved.self, 2) } == [])
    }

    @Test("A model that has ended sets no preference")
    func endedPreference() {
        let reports = TestReport.collect {
            let test = TestStore<App>(initialState: .rows(1))
            let row = test.model.model.rows[0]
            test.model.perform { $0.state.rows = [] }
            test.model.assert { $0.rows = [] }
            row.setPreference(Badge.self, 2)
            #expect(row.preference(Badge.self) == 0)
            test.finish()
        }
        #expect(reports.map(\.message) == [])
    }
}
