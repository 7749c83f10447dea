import PromisedModels
import PromisedTesting
import Testing

/// What a listener that consumes keeps from others, and what it does not.
struct ConsumingTests {
    private func listen<Element>(_ model: some Model, _ name: String, _ events: ModelEvents<Element>) {
        model.forEach(events) { [notes = model.dependency(\.notes)] event in notes.add("\(name): \(event)") }
    }

    @Test("An event that is consumed is received by the other listeners of the same model")
    func neighbours() {
        let fixture = Fixture<App>(.rows(1))
        let (app, row) = (fixture.model, fixture.model.rows[0])
        listen(row, "one", row.events(ofType: Row.Event.self, consuming: true))
        listen(row, "other", row.events(ofType: Row.Event.self))
        listen(app, "app", app.events(ofType: Row.Event.self))
        fixture.scheduler.advance()
        #expect(fixture.after { _ in row.send(.remove) }.sorted() == ["one: remove", "other: remove"])
    }

    @Test("An event that is consumed on its way up is sent down all the same")
    func downwards() {
        let fixture = Fixture<App>(.rows(1))
        let (app, row) = (fixture.model, fixture.model.rows[0])
        listen(app, "app", app.events(ofType: String.self))
        listen(row, "row", row.events(ofType: String.self, consuming: true))
        listen(row.counter, "counter", row.counter.events(ofType: String.self))
        fixture.scheduler.advance()
        let notes = fixture.after { _ in row.send("x", to: [.sender, .ancestors, .descendants]) }
        #expect(notes.sorted() == ["counter: x", "row: x"])
    }

    @Test("A listener consumes only what it receives")
    func others() {
        let fixture = Fixture<App>(.rows(1))
        let (app, row) = (fixture.model, fixture.model.rows[0])
        listen(row, "row", row.events(of: Row.Event.remove, consuming: true))
        listen(app, "app", app.events(ofType: Row.Event.self))
        fixture.scheduler.advance()
        #expect(fixture.after { _ in row.send(.rename("x")) } == ["app: rename(\"x\")"])
        #expect(fixture.after { _ in row.send(.remove) } == ["row: remove"])
    }
}
