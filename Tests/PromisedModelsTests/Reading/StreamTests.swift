import Foundation
import PromisedModels
import PromisedTesting
import Testing

struct StreamTests {
    @Test("OS-26: changes are those after the call, and only unequal ones")
    func changes() {
        let fixture = Fixture<Counter>(.init(count: 1))
        let seen = Box<[Int]>([])
        fixture.model.forEach(fixture.model.changes(of: \.count)) { value in seen.change { $0.append(value) }
        }
        for count in [1, 2] { fixture.model.state.count = count }
        fixture.scheduler.advance()
        #expect(seen.value == [2])
    }

    @Test("OS-27: values have no gap between the present one and the changes")
    func values() async {
        let fixture = Fixture<Counter>(.init(count: 1))
        let stream = fixture.model.values(of: \.count)
        fixture.after { $0.state.count = 2 }
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next() == 1)
        #expect(await iterator.next() == 2)
    }

    @Test("OS-28: every value is delivered, or the latest where that is asked for")
    func coalescing() async {
        let fixture = Fixture<Counter>(.init())
        let seen = Box<[Int]>([])
        fixture.model.forEach(fixture.model.changes(of: \.count)) { value in seen.change { $0.append(value) }
        }
        let latest = fixture.model.changes(of: \.count, delivery: .latest)
        fixture.after { for count in 1...3 { $0.state.count = count } }
        #expect(seen.value == [1, 2, 3])
        var iterator = latest.makeAsyncIterator()
        #expect(await iterator.next() == 3)
    }

    @Test("OS-29: waiting for a condition ends when it is true, and at once if it is")
    func waiting() {
        let fixture = Fixture<Counter>(.init())
        let (model, notes) = (fixture.model, fixture.notes)
        _ = notes.take()
        model.task {
            try await model.waitUntil(model.count >= 0)
            notes.add("at once")
            try await model.waitUntil(model.count >= 3)
            notes.add("three")
        }
        fixture.scheduler.advance()
        #expect(notes.take() == ["at once"])
        fixture.after { for _ in 0..<2 { $0.increment() } }
        model.increment()
        fixture.scheduler.advance()
        #expect(notes.take() == ["three"])
        let waiting = model.task {
            do {
                try await model.waitUntil(model.count >= 10)
            } catch {
                notes.add("\(type(of: error))")
            }
        }
        fixture.scheduler.advance()
        waiting.cancel()
        fixture.scheduler.advance()
        #expect(notes.take() == ["CancellationError"])
    }

    @Test("A change of a property is noticed whatever has made it, until the handle or the model ends")
    func onChange() {
        let fixture = Fixture<App>(.rows(1))
        let notes = fixture.notes
        let handle = fixture.model.rows[0].onChange(of: \.title) { notes.add($0) }
        #expect(fixture.after { $0.state.rows[0].title = "a" } == ["a"])
        #expect(fixture.after { $0.rows[0].state.title = "b" } == ["b"])
        #expect(fixture.after { $0.state.title = "x" } == [])
        handle.cancel()
        #expect(fixture.after { $0.rows[0].state.title = "c" } == [])
    }

    @Test("OS-50: a value outside of the state is shared by all models over it, and is a sequence")
    func property() {
        let fixture = Fixture<Player>(.init())
        let seen = Box<[Double]>([])
        fixture.model.forEach(fixture.model.volume.values) { value in seen.change { $0.append(value) } }
        fixture.scheduler.advance()
        fixture.model.volume.value = 0.7
        #expect(fixture.model.volume.value == 0.7)
        fixture.scheduler.advance()
        #expect(seen.value == [0.5, 0.7])
        #expect(fixture.store.state == .init())
    }

    @Test("OS-51: a handle reads, writes, and has the values")
    func handle() {
        let fixture = Fixture<App>(.rows(1))
        let view = fixture.model.context.view(\.title)
        let seen = Box<[String]>([])
        fixture.model.forEach(view.values) { value in seen.change { $0.append(value) } }
        fixture.scheduler.advance()
        view.value = "3"
        fixture.scheduler.advance()
        #expect(seen.value == ["", "3"])
        #expect(fixture.store.state.title == "3")
    }

    @Test("OS-52: handles are narrowed by key paths, through optionals as well")
    func narrowing() {
        let fixture = Fixture<App>(.rows(1))
        let sheet = fixture.model.context.view(\.sheet)
        let count = sheet.count
        #expect(count.value == nil)
        count.value = 3
        #expect(fixture.store.state.sheet == nil)
        fixture.after { $0.state.sheet = .init() }
        count.value = 3
        #expect(fixture.store.state.sheet?.count == 3)
        #expect(fixture.model.context.reader(\.sum).value == 0)
        #expect(fixture.model.context.reader(\.sheet).count.value == 3)
    }
}

extension StreamTests {
    @Test("OS-52: an optional property of an optional is set to nil by its handle")
    func optionalOfOptional() {
        struct Letter: Model {
            struct Content: Equatable { var note: String? = "a" }
            struct State: Equatable { var content: Content? = .init() }
            let context: ModelContext<Letter>
        }
        let fixture = Fixture<Letter>(.init())
        let note = fixture.model.context.view(\.content).note
        #expect(note.value == "a" && fixture.model.context.reader(\.content).note.value == "a")
        note.value = nil
        #expect(fixture.store.state == .init(content: .init(note: nil)))
        fixture.model.context.state.content = nil
        let records = fixture.store.onWrite { _ in Issue.record("Nothing is written to an absent value.") }
        note.value = "b"
        fixture.scheduler.advance()
        #expect(fixture.store.state.content == nil)
        records.cancel()
    }

    @Test("OS-50: the values of a property end with the model, and what is set after that is ignored")
    func propertyEnds() {
        let fixture = Fixture<Track>(.init())
        let notes = fixture.notes
        let volume = fixture.model.player?.volume
        fixture.model.task {
            for await value in volume?.values ?? .finished { notes.add("\(value)") }
            notes.add("end")
        }
        #expect(fixture.after { _ in } == ["0.5"])
        let heard = fixture.after { track in
            track.context.state.player = nil
            volume?.value = 0.7
        }
        #expect(heard == ["end"])
        #expect(volume?.value == 0.5)
    }
}

extension AsyncStream {
    fileprivate static var finished: AsyncStream { AsyncStream { $0.finish() } }
}

struct Track: Model {
    struct State: Equatable { var player: Player.State? = .init() }
    let context: ModelContext<Track>
    static let children: [Child<Track>] = [.optional(\.player, Player.self)]
    var player: Player? { optionalChild(\.player) }
}

struct Player: Model {
    struct State: Equatable { var isPlaying = false }
    let context: ModelContext<Player>

    private static let volume = ModelProperty(0.5)
    var volume: ModelPropertyValue<Double> { property(Self.volume) }
}
