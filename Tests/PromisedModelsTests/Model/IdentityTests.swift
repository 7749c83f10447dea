import PromisedModels
import PromisedTesting
import Synchronization
import TestSupport
import Testing

/// Identities that are computed, so that a write elsewhere changes them.
struct IdentityTests {
    @Test("OS-09: a write to a child that changes the identity of a model above it replaces that model")
    func fromBelow() {
        let fixture = Fixture<Album>(.init(songs: [.init("a"), .init("b")]))
        let (a, b) = (fixture.model.songs[0], fixture.model.songs[1])
        let name = a.name
        #expect(fixture.after { _ in name.state.text = "c" } == ["-a", "+c"])
        #expect(fixture.store.state.songs.map(\.id) == ["c", "b"])
        #expect(!a.context.isActive && !name.context.isActive && b.context.isActive)
        #expect(a.state.id == "a" && name.state.text == "a")
        #expect(fixture.model.songs.map(\.state.id) == ["c", "b"])

        #expect(fixture.after { $0.songs[0].name.state.update { $0.text += "!" } } == ["-c", "+c!"])
        #expect(fixture.after { $0.songs[0].name.state.plays += 1 } == [])
        #expect(fixture.store.state.songs[0].name.plays == 1)
    }

    @Test("OS-09: models end and begin also where a level lies between the write and the identity")
    func fromFurtherBelow() {
        let fixture = Fixture<Hall>(.init(racks: [.init("a"), .init("b")]))
        let song = fixture.model.racks[1].songs[0]
        #expect(
            fixture.after { _ in song.name.state.text = "c" }
                == ["-b", "-rack b", "+rack c", "+c"])
        #expect(fixture.model.racks.map(\.state.id) == ["a", "c"])
        #expect(fixture.after { $0.racks[0].songs[0].name.state.plays = 2 } == [])
        #expect(fixture.store.state.racks[0].songs[0].name.plays == 2)
    }

    @Test("OS-09: in a transaction, a changed identity takes effect at the end")
    func inTransaction() {
        let fixture = Fixture<Album>(.init(songs: [.init("a"), .init("b")]))
        let song = fixture.model.songs[0]
        let notes = fixture.after { album in
            album.transaction {
                song.name.state.text = "c"
                #expect(album.state.songs.map(\.id) == ["c", "b"])
                #expect(song.context.isActive)
                album.state.title = "new"
            }
        }
        #expect(notes == ["-a", "+c"])
        #expect(fixture.store.state.title == "new")
    }

    @Test("OS-09: an identified array refuses an identity that comes from below and is there already")
    func collision() {
        Reports.begin()
        let fixture = Fixture<Playlist>(.init(songs: [.init("a"), .init("taken")]))
        #expect(fixture.after { $0.songs[0].name.state.text = "taken" } == [])
        #expect(fixture.store.state.songs.map(\.id) == ["a", "taken"])
        #expect(Reports.about("it already has one with the identity taken").count == 1)
        #expect(fixture.after { $0.songs[0].name.state.text = "c" } == ["-a", "+c"])
    }

    @Test("A state whose identity changes without a write is read by its place, and its writes are reported")
    func changesByItself() {
        Reports.begin()
        let fixture = Fixture<Tickers>(.init())
        let (tickers, model) = (fixture.model.tickers, fixture.model)
        Ticker.shift.store(100, ordering: .relaxed)
        tickers[0].state.text = "x"
        fixture.scheduler.advance()
        #expect(Reports.about("states of Ticker has an identity without").count == 1)
        #expect(tickers.map(\.state.text) == ["a", "b"])
        #expect(fixture.store.state.tickers.map(\.text) == ["a", "b"])
        fixture.scheduler.advance()
        #expect(Reports.about("states of Ticker has an identity without").count == 2)
        model.state.tickers[0].text = "y"
        #expect(model.tickers.map(\.state.text) == ["y", "b"])
    }
}

/// A song whose identity is its name, which is a child.
private struct Song: Model {
    struct State: Equatable, Identifiable {
        var name: Name.State
        var id: String { name.text }

        init(_ text: String) { name = .init(text: text) }
    }

    let context: ModelContext<Song>
    static let children: [Child<Song>] = [.one(\.name, Name.self)]
    var state: ModelState<Self> { context.state }
    var name: Name { child(\.name) }

    func onActivate() { note("+\(state.id)") }
    func onDeactivate() { note("-\(state.id)") }
}

private struct Name: Model {
    struct State: Equatable {
        var text: String
        var plays = 0
    }

    let context: ModelContext<Name>
    var state: ModelState<Self> { context.state }
}

private struct Album: Model {
    struct State: Equatable {
        var title = ""
        var songs: [Song.State]
    }

    let context: ModelContext<Album>
    static let children: [Child<Album>] = [.each(\.songs, Song.self)]
    var state: ModelState<Self> { context.state }
    var songs: [Song] { children(\.songs) }
}

private struct Playlist: Model {
    struct State: Equatable { var songs: IdentifiedArray<Song.State> }
    let context: ModelContext<Playlist>
    static let children: [Child<Playlist>] = [.each(\.songs, Song.self)]
    var songs: [Song] { children(\.songs) }
}

/// A rack whose identity is that of its song, two levels below.
private struct Rack: Model {
    struct State: Equatable, Identifiable {
        var songs: [Song.State]
        var id: String { songs.first?.id ?? "" }

        init(_ text: String) { songs = [.init(text)] }
    }

    let context: ModelContext<Rack>
    static let children: [Child<Rack>] = [.each(\.songs, Song.self)]
    var state: ModelState<Self> { context.state }
    var songs: [Song] { children(\.songs) }

    func onActivate() { note("+rack \(state.id)") }
    func onDeactivate() { note("-rack \(state.id)") }
}

private struct Hall: Model {
    struct State: Equatable { var racks: [Rack.State] }
    let context: ModelContext<Hall>
    static let children: [Child<Hall>] = [.each(\.racks, Rack.self)]
    var racks: [Rack] { children(\.racks) }
}

/// Its identity depends on what is no part of the state.
private struct Ticker: Model {
    static let shift = Atomic(0)

    struct State: Equatable, Identifiable {
        var number: Int
        var text: String
        var id: Int { number + Ticker.shift.load(ordering: .relaxed) }
    }

    let context: ModelContext<Ticker>
    var state: ModelState<Self> { context.state }
}

private struct Tickers: Model {
    struct State: Equatable {
        var tickers: [Ticker.State] = [.init(number: 1, text: "a"), .init(number: 2, text: "b")]
    }

    let context: ModelContext<Tickers>
    static let children: [Child<Tickers>] = [.each(\.tickers, Ticker.self)]
    var state: ModelState<Self> { context.state }
    var tickers: [Ticker] { children(\.tickers) }
}
