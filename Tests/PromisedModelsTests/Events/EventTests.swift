import PromisedModels
import PromisedTesting
import Testing

struct EventTests {
    /// Notes the events that reach a model.
    private func listen<Element>(_ model: some Model, _ name: String, _ events: ModelEvents<Element>) {
        model.forEach(events) { [notes = model.dependency(\.notes)] event in notes.add("\(name): \(event)") }
    }

    @Test("OS-39: an event goes to its sender and up, in the order of sending, not to siblings")
    func up() {
        let fixture = Fixture<App>(.rows(1, 2))
        let (app, one, two) = (fixture.model, fixture.model.rows[0], fixture.model.rows[1])
        listen(app, "app", app.events(ofType: Counter.Event.self))
        listen(one, "one", one.events(ofType: Counter.Event.self))
        listen(two, "two", two.events(ofType: Counter.Event.self))
        listen(one.counter, "counter", one.counter.events())
        fixture.scheduler.advance()
        #expect(
            Set(fixture.after { _ in one.counter.send(.tapped) })
                == ["counter: tapped", "one: tapped", "app: tapped"])
        #expect(fixture.after { _ in two.send(.remove) } == [])
    }

    @Test(
        "OS-40: an event that is sent down is received like any other of its type, but by no parent of the sender"
    )
    func down() {
        let fixture = Fixture<App>(.rows(1))
        let (app, row) = (fixture.model, fixture.model.rows[0])
        listen(app, "app", app.events(ofType: Counter.Event.self))
        listen(row, "row", row.events(ofType: Counter.Event.self))
        listen(row.counter, "equal", row.counter.events(of: Counter.Event.tapped))
        fixture.scheduler.advance()
        #expect(fixture.after { $0.send(Counter.Event.tapped, to: [.children]) } == ["row: tapped"])
        #expect(
            fixture.after { $0.send(Counter.Event.tapped, to: [.descendants]) }
                == ["row: tapped", "equal: tapped"])
    }

    @Test(
        "OS-43: the events of a child that was removed before they are received are dropped there, and only there"
    )
    func removedAtOnce() {
        let fixture = Fixture<App>(.rows(1, 2))
        let app = fixture.model
        listen(app, "from", app.events(of: Row.Event.remove, from: \.rows, Row.self))
        listen(app, "type", app.events(ofType: Row.Event.self))
        fixture.scheduler.advance()
        let notes = fixture.after { app in
            app.rows[0].send(.remove)
            app.state.rows.removeFirst()
        }
        #expect(Set(notes) == ["type: remove", "-counter", "-row 1"])
    }

    @Test("OS-40: receivers can be chosen, and each receives an event once")
    func receivers() {
        let fixture = Fixture<App>(.rows(1))
        let (app, row) = (fixture.model, fixture.model.rows[0])
        listen(app, "app", app.events(ofType: String.self))
        listen(row, "row", row.triggers(of: String.self))
        listen(row.counter, "counter", row.counter.triggers(of: String.self))
        listen(app, "from row", app.events(ofType: Int.self))
        fixture.scheduler.advance()
        #expect(fixture.after { $0.send("a", to: [.children]) } == ["row: a"])
        #expect(
            Set(fixture.after { $0.send("b", to: [.children, .descendants]) }) == ["row: b", "counter: b"])
        #expect(fixture.after { $0.send("c", to: .sender) } == ["app: c"])
        #expect(fixture.after { _ in row.counter.send(4, to: [.parent]) } == [])
        #expect(fixture.after { _ in row.counter.send(5, to: [.parent, .ancestors]) } == ["from row: 5"])
        #expect(Set(fixture.after { $0.trigger("d") }) == ["row: d", "counter: d"])
    }

    @Test("OS-41: one's own events, equal ones, and those of a type")
    func listening() {
        let fixture = Fixture<App>(.rows(1))
        let row = fixture.model.rows[0]
        listen(row, "own", row.events())
        listen(row, "of", row.events(of: Row.Event.remove))
        listen(fixture.model, "type", fixture.model.events(ofType: Row.Event.self))
        fixture.scheduler.advance()
        let notes = fixture.after { _ in
            row.send(.remove)
            row.send(.rename("b"))
            row.send(.remove)
        }
        #expect(notes.filter { $0.hasPrefix("of") } == ["of: remove", "of: remove"])
        #expect(notes.filter { $0.hasPrefix("own") }.count == 3)
        #expect(notes.filter { $0.hasPrefix("type") }.count == 3)
    }

    @Test("OS-42: events come with their senders")
    func senders() {
        let fixture = Fixture<App>(.rows(3, 7))
        let app = fixture.model
        let seen = Box<[Int]>([])
        app.forEach(app.events(fromType: Row.self)) { _, row in seen.change { $0.append(row.id) } }
        fixture.after { $0.rows[1].send(.remove) }
        #expect(seen.value == [7])
    }

    @Test("OS-43: events of one place only, and none of a sender that has been removed")
    func places() {
        let fixture = Fixture<Pair>(.init())
        let pair = fixture.model
        let seen = Box<[String]>([])
        pair.forEach(pair.events(from: \.left, Row.self)) { event, row in
            seen.change { $0.append("\(row.id) \(event)") }
        }
        pair.forEach(pair.events(of: .remove, from: \.list, Row.self)) { row in
            seen.change { $0.append("list \(row.id)") }
        }
        fixture.scheduler.advance()
        fixture.after { pair in
            pair.left.send(.remove)
            pair.right.send(.remove)
            for row in pair.list { row.send(.remove) }
            pair.list[0].send(.rename("x"))
        }
        #expect(Set(seen.value) == ["1 remove", "list 3", "list 4"])
        seen.value = []
        let removed = pair.list[0]
        removed.send(.remove)
        pair.context.state.list.removeFirst()
        fixture.scheduler.advance()
        #expect(seen.value == [])
    }

    @Test("OS-44: any type can be sent")
    func foreign() {
        enum AppEvent { case logOut }
        let fixture = Fixture<App>(.rows(1))
        listen(fixture.model, "app", fixture.model.events(of: AppEvent.logOut))
        fixture.scheduler.advance()
        #expect(fixture.after { $0.rows[0].counter.send(AppEvent.logOut) } == ["app: logOut"])
    }

    @Test("An event that is consumed goes no further up")
    func consuming() {
        let fixture = Fixture<App>(.rows(1, 2))
        let (app, row) = (fixture.model, fixture.model.rows[0])
        listen(row, "row", row.events(ofType: Counter.Event.self, consuming: true))
        listen(app, "app", app.events(ofType: Counter.Event.self))
        fixture.scheduler.advance()
        #expect(fixture.after { _ in row.counter.send(.tapped) } == ["row: tapped"])
        #expect(fixture.after { $0.rows[1].counter.send(.tapped) } == ["app: tapped"])
    }

    @Test("OS-60: the values of one case of the events")
    func cases() {
        let rename = CasePath<Row.Event, String>(embed: Row.Event.rename) {
            if case .rename(let name) = $0 { name } else { nil }
        }
        let fixture = Fixture<App>(.rows(1))
        listen(fixture.model, "name", fixture.model.events(ofCase: rename))
        fixture.scheduler.advance()
        #expect(fixture.after { $0.rows[0].send(.rename("x")) } == ["name: x"])
        #expect(fixture.after { $0.rows[0].send(.remove) } == [])
    }

    @Test("Preferences of a model and all below it are one value")
    func preferences() {
        let fixture = Fixture<App>(.rows(1, 2))
        let app = fixture.model
        #expect(app.preference(Unsaved.self) == 0)
        let seen = Box<[Int]>([])
        app.forEach(app.preferences(of: Unsaved.self)) { value in seen.change { $0.append(value) } }
        fixture.scheduler.advance()
        fixture.after { $0.rows[0].setPreference(Unsaved.self, 2) }
        fixture.after { $0.rows[1].counter.setPreference(Unsaved.self, 3) }
        #expect(app.preference(Unsaved.self) == 5)
        #expect(app.rows[1].preference(Unsaved.self) == 3)
        fixture.after { $0.state.rows.removeFirst() }
        #expect(app.preference(Unsaved.self) == 3)
        #expect(seen.value == [0, 2, 5, 3])
    }
}

struct Pair: Model {
    struct State: Equatable {
        var left = Row.State(id: 1)
        var right = Row.State(id: 2)
        var list = [Row.State(id: 3), Row.State(id: 4)]
    }
    let context: ModelContext<Pair>
    static let children: [Child<Pair>] = [
        .one(\.left, Row.self), .one(\.right, Row.self), .each(\.list, Row.self),
    ]
    var left: Row { child(\.left) }
    var right: Row { child(\.right) }
    var list: [Row] { children(\.list) }
}
