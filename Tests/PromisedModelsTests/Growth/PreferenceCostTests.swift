import PromisedModels
import PromisedTesting
import Synchronization
import TestSupport
import Testing

/// Preferences are reduced when one of them was changed, and at no other time.
@Suite(.tags(.sharedState), .serialized) struct PreferenceCostTests {
    private enum Counted: PreferenceKey {
        static let reduced = Atomic(0)
        static let defaultValue: [Int] = []
        static func reduce(_ value: inout [Int], with next: [Int]) {
            reduced.add(1, ordering: .relaxed)
            value += next
        }
    }

    private static func reduced(_ body: () -> Void) -> Int {
        Counted.reduced.store(0, ordering: .relaxed)
        body()
        return Counted.reduced.load(ordering: .relaxed)
    }

    @Test("A write reduces no preferences, though they are listened to; a preference below does, once")
    func writes() {
        let fixture = Fixture<App>(.rows(1, 2, 3))
        let (app, notes) = (fixture.model, fixture.notes)
        for row in app.rows { row.setPreference(Counted.self, [row.id]) }
        app.forEach(app.preferences(of: Counted.self)) { notes.add("\($0)") }
        #expect(fixture.after { _ in } == ["[1, 2, 3]"])
        #expect(Self.reduced { fixture.after { $0.rows[1].counter.increment() } } == 0)
        #expect(Self.reduced { _ = app.preference(Counted.self) } == 0)
        #expect(fixture.after { $0.rows[1].setPreference(Unsaved.self, 4) } == [])
        var heard: [String] = []
        let count = Self.reduced {
            heard = fixture.after { $0.rows[1].counter.setPreference(Counted.self, [20]) }
        }
        #expect(heard == ["[1, 2, 20, 3]"] && count == 4)
    }

    @Test("Preferences follow the models: removed ones take theirs along, moved ones change the order")
    func structure() {
        let fixture = Fixture<App>(.rows(1, 2, 3))
        let (app, notes) = (fixture.model, fixture.notes)
        let rows = app.rows
        for row in rows { row.setPreference(Counted.self, [row.id]) }
        app.forEach(app.preferences(of: Counted.self)) { notes.add("\($0)") }
        fixture.after { _ in }
        #expect(fixture.after { $0.state.rows.swapAt(0, 2) } == ["[3, 2, 1]"])
        #expect(fixture.after { $0.state.rows.remove(at: 1) } == ["-counter", "-row 2", "[3, 1]"])
        #expect(app.preference(Counted.self) == [3, 1] && rows[0].preference(Counted.self) == [1])
        #expect(fixture.after { $0.state.rows = [] }.last == "[]")
    }

    @Test("The values of the preferences of a model end with it")
    func end() {
        let fixture = Fixture<App>(.rows(1))
        let notes = fixture.notes
        let values = fixture.model.rows[0].preferences(of: Counted.self)
        fixture.model.task {
            for await value in values { notes.add("\(value)") }
            notes.add("end")
        }
        #expect(fixture.after { _ in } == ["[]"])
        #expect(fixture.after { $0.state.rows = [] }.last == "end")
    }
}
