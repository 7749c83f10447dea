import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// Models as elements of a `ForEach`, and own events by their names.
@Suite(.tags(.noSharedState)) struct IdentifiableModelTests {
    @Test("An own event is listened to by its name")
    func ownEvent() {
        let fixture = Fixture<App>(.rows(1))
        let (row, notes) = (fixture.model.rows[0], fixture.notes)
        row.forEach(row.events(of: .remove)) { notes.add("\($0)") }
        fixture.after { _ in }
        #expect(fixture.after { _ in row.send(.rename("x")) } == [])
        #expect(fixture.after { _ in row.send(.remove) } == ["remove"])
    }

    @Test("OS-17: a model of an identifiable state is identifiable, by the identity of that")
    func identifiable() {
        struct Entry: Model, Identifiable {
            struct State: Equatable, Identifiable { let id: String }
            let context: ModelContext<Entry>
        }
        func ids<Element: Identifiable>(_ all: [Element]) -> [Element.ID] { all.map(\.id) }
        let store = Store<[Entry]>(initialState: [.init(id: "a"), .init(id: "b")], scheduler: .immediate)
        #expect(ids(store.model) == ["a", "b"])
    }
}
