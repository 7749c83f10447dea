import PromisedModels
import PromisedTesting
import Testing

/// Which events a sequence has, and how it ends.
struct EventReachTests {
    @Test("OS-40: what is sent up, or by the model itself, is no trigger")
    func triggers() {
        let fixture = Fixture<App>(.rows(1))
        let (row, notes) = (fixture.model.rows[0], fixture.notes)
        row.forEach(row.triggers(of: String.self)) { notes.add($0) }
        fixture.scheduler.advance()
        let heard = fixture.after { app in
            row.counter.send("from below")
            row.send("own")
            app.trigger("from above")
        }
        #expect(heard == ["from above"])
    }

    @Test(
        "OS-43: the events of a place are those of the children there, and not of the same place further below"
    )
    func deeperPlaces() {
        let fixture = Fixture<Folder>(.init(id: 1, folders: [.init(id: 2, folders: [.init(id: 3)])]))
        let (top, notes) = (fixture.model, fixture.notes)
        top.forEach(top.events(of: .opened, from: \.folders, Folder.self)) { notes.add("\($0.id)") }
        fixture.scheduler.advance()
        #expect(fixture.after { $0.folders[0].folders[0].send(.opened) } == [])
        #expect(fixture.after { $0.folders[0].send(.opened) } == ["2"])
    }

    @Test("A sequence of events ends with the model that listens, wherever it is iterated")
    func end() {
        let fixture = Fixture<App>(.rows(1))
        let (events, notes) = (fixture.model.rows[0].events(), fixture.notes)
        fixture.model.task {
            for await event in events { notes.add("\(event)") }
            notes.add("end")
        }
        #expect(fixture.after { $0.rows[0].send(.remove) } == ["remove"])
        #expect(fixture.after { $0.state.rows = [] }.contains("end"))
    }

    @Test("OS-41: a consumer that is 10,000 events behind loses the oldest")
    func overflow() async {
        let fixture = Fixture<Counter>(.init())
        let events = fixture.model.events(ofType: Int.self)
        for number in 0...10_000 { fixture.model.send(number) }
        fixture.scheduler.advance()
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() == 1)
    }
}

private struct Folder: Model {
    struct State: Equatable, Identifiable {
        var id: Int
        var folders: [Folder.State] = []
    }
    enum Event: Equatable { case opened }
    let context: ModelContext<Folder>
    static let children: [Child<Folder>] = [.each(\.folders, Folder.self)]
    var folders: [Folder] { children(\.folders) }
}
