import Foundation
import Observation
import Promise
import PromisedModels
import PromisedModelsTesting
import TestSupport
import Testing

/// Cases that occur seldom, each of which a small fault would change.
struct RareCaseTests {
    @Test(
        "A replacement of the whole state in a transaction that throws is not in the record of the next one")
    func thrownReplacement() {
        let fixture = Fixture<App>(.rows(1))
        let (store, notes) = (fixture.store, fixture.notes)
        let records = store.onWrite { notes.add("\($0.change)") }
        fixture.after { app in
            try? app.transaction {
                store.replace(.init(title: "b"))
                throw Failure()
            }
        }
        let heard = fixture.after { app in app.transaction { app.rows[0].state.title = "x" } }
        #expect(heard == ["rows[0]"])
        records.cancel()
    }

    private static let volume = ModelProperty(1)

    @Test("A property of a model that has ended has its initial value, whatever is set")
    func endedProperty() throws {
        let fixture = Fixture<App>(.rows(1))
        let row = try #require(fixture.model.rows.first)
        row.property(Self.volume).value = 5
        fixture.after { $0.state.rows = [] }
        let volume = row.property(Self.volume)
        #expect(volume.value == 1)
        volume.value = 7
        #expect(volume.value == 1)
    }

    @Test("A handling that ignores its cancellation is at work, also when the one after it has returned")
    func ignoredCancellation() {
        let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
        let (never, end) = AsyncStream.makeStream(of: Void.self)
        let reports = TestReport.collect {
            let test = TestStore<Counter>(initialState: .init())
            test.model.model.forEach(numbers, cancelPrevious: true) { number in
                // A task of its own is not cancelled.
                if number == 1 { await Task { for await _ in never {} }.value }
            }
            test.advance()
            feed.yield(1)
            test.advance()
            feed.yield(2)
            test.advance()
            test.finish()
        }
        #expect(reports.count == 1)
        #expect(reports.first?.message.contains("still running") ?? false)
        end.finish()
    }

    @Test("An element that is refused among several is reported at the place of the call")
    func placeOfRefusal() {
        struct Pebble: Identifiable { let id: Int }
        Reports.begin()
        var pebbles: IdentifiedArray<Pebble> = [Pebble(id: 1)]
        pebbles.append(contentsOf: [Pebble(id: 1), Pebble(id: 2)], file: "Beach/Shore.swift", line: 77)
        #expect(pebbles.ids == [1, 2])
        #expect(Reports.about("refused a Pebble").map { "\($0.origin)".contains("Shore.swift:77") } == [true])
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

    private enum Badge: PreferenceKey {
        static var defaultValue: Int { 0 }
        static func reduce(_ value: inout Int, with next: Int) { value += next }
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

    @Test("What models of equal text remember is told apart in an exploration")
    func equalTexts() {
        struct Tag: Hashable, CustomStringConvertible {
            let number: Int
            var description: String { "tag" }
        }
        struct Slip: Model {
            struct State: Hashable, Identifiable { let id: Tag }
            let context: ModelContext<Slip>
        }
        let fixture = Fixture<[Slip]>([.init(id: .init(number: 1)), .init(id: .init(number: 2))])
        let (first, second) = (fixture.model[0], fixture.model[1])
        second.property(Self.volume).value = 2
        fixture.scheduler.advance()
        let before = fixture.store.inspection.remembered
        first.property(Self.volume).value = 3
        fixture.scheduler.advance()
        #expect(before != nil && before != fixture.store.inspection.remembered)
    }

    private final class Load: Sendable {}

    private struct Carrier: Model {
        struct State: Sendable, Identifiable {
            var id: Int
            var load: Load?
        }
        let context: ModelContext<Carrier>
    }

    @Test("A model that was observed and removed is released, with its last state")
    func removedObserved() {
        let fixture = Fixture<[Carrier]>([])
        weak var load: Load?
        do {
            let new = Load()
            load = new
            fixture.store.replace([.init(id: 1, load: new)])
            fixture.scheduler.advance()
            let token = fixture.model[0].source(of: \.id).subscribe(replayCurrent: false) { _ in }
            fixture.store.replace([])
            fixture.scheduler.advance()
            token.cancel()
        }
        fixture.scheduler.advance()
        #expect(load == nil)
    }

    @Test("A state that is declared with StateModel is encoded like a plain one, and loaded from that")
    func coding() throws {
        struct Leaf: Model {
            struct State: Codable, Equatable { var width = 1 }
            let context: ModelContext<Leaf>
        }
        struct Plain: Codable { var leaf = Leaf.State() }
        struct Wrapped: Codable, Equatable { @StateModel<Leaf> var leaf = .init() }
        let plain = try JSONEncoder().encode(Plain(leaf: .init(width: 3)))
        #expect(try JSONEncoder().encode(Wrapped(leaf: .init(width: 3))) == plain)
        #expect(try JSONDecoder().decode(Wrapped.self, from: plain) == Wrapped(leaf: .init(width: 3)))
    }

    @Test("Wrapped properties are encoded and decoded by the coder's strategies, as plain ones are")
    func strategies() throws {
        struct Leaf: Model {
            struct State: Codable, Equatable { var width = 1 }
            let context: ModelContext<Leaf>
        }
        struct Plain: Codable, Equatable {
            var date = Date(timeIntervalSince1970: 0)
            var data: Data? = Data([1, 2, 3])
            var name: String?
            var leaf: Leaf.State?
            var leaves = ["a_b": Leaf.State(), "cD": Leaf.State(width: 2)]
        }
        struct Wrapped: Codable, Equatable {
            @Writable var date = Date(timeIntervalSince1970: 0)
            @Writable var data: Data? = Data([1, 2, 3])
            @Writable var name: String? = nil
            @StateModel<Leaf?> var leaf = nil
            @StateModel<KeyedModels<String, Leaf>> var leaves = [
                "a_b": Leaf.State(), "cD": Leaf.State(width: 2),
            ]
        }
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.outputFormatting = .sortedKeys
        (encoder.dateEncodingStrategy, decoder.dateDecodingStrategy) = (.iso8601, .iso8601)
        (encoder.keyEncodingStrategy, decoder.keyDecodingStrategy) = (
            .convertToSnakeCase, .convertFromSnakeCase
        )
        let plain = try encoder.encode(Plain())
        #expect(try encoder.encode(Wrapped()) == plain)
        #expect(try decoder.decode(Wrapped.self, from: plain) == Wrapped())
    }

    @Test("What follows from a write comes before the last hook, if the store is released on the scheduler")
    func releasedOnScheduler() {
        let (scheduler, notes) = (TestScheduler(), Notes())
        let store = Box<Store<Counter>?>(
            Store(initialState: .init(), scheduler: scheduler) { $0.notes = notes })
        scheduler.advance()
        let token = store.value?.model.source(of: \.count).subscribe(replayCurrent: false) {
            notes.add("\($0)")
        }
        _ = notes.take()
        scheduler.schedule(after: .zero) { store.value = nil }
        store.value?.model.state.count = 1
        scheduler.advance()
        #expect(notes.take() == ["1", "-counter"])
        withExtendedLifetime(token) {}
    }

    @Test("A store that is released while its scheduler performs something ends behind that")
    func releasedMeanwhile() {
        let (scheduler, notes) = (QueueScheduler.serial("rare"), Notes())
        let (entered, go, done) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        var store: Store<Counter>? = Store(initialState: .init(), scheduler: scheduler) { $0.notes = notes }
        let token = store?.model.source(of: \.count).subscribe(replayCurrent: false) { count in
            notes.add("\(count)")
            guard count == 1 else { return }
            entered.signal()
            go.wait()
        }
        store?.model.state.count = 1
        entered.wait()
        store?.model.state.count = 2
        store = nil
        go.signal()
        for _ in 0..<2 {
            scheduler.schedule { done.signal() }
            done.wait()
        }
        #expect(notes.value == ["+counter", "1", "2", "-counter"])
        withExtendedLifetime(token) {}
    }

    @Test("OS-59: a mutation by the subscript adds no element of another identity")
    func otherIdentity() {
        struct Stone: Identifiable { let id: Int }
        func set(_ stone: inout Stone?, _ id: Int) { stone = Stone(id: id) }
        var stones: IdentifiedArray<Stone> = [Stone(id: 1)]
        set(&stones[id: 2], 3)
        #expect(stones.ids == [1])
        set(&stones[id: 2], 2)
        #expect(stones.ids == [1, 2])
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

    @Test("A reader in generic code is not notified of a write that leaves its property equal")
    func genericReader() {
        let fixture = Fixture<Counter>(.init())
        let counter = fixture.model
        func read<Value: Sendable>(_ path: any KeyPath<Counter.State, Value> & Sendable) -> Value {
            counter[dynamicMember: path]
        }
        let count = Box(0)
        _ = withObservationTracking {
            read(\.count)
        } onChange: {
            count.change { $0 += 1 }
        }
        fixture.after { $0.state.update { $0.other = 1 } }
        #expect(count.value == 0)
        fixture.after { $0.increment() }
        #expect(count.value == 1)
    }

    @Test("The children of a part that is always there, which are not listed, follow a replacement of all")
    func lateChildrenBelow() {
        struct Tray: Model {
            struct State: Equatable { var items: [Item.State] = [] }
            let context: ModelContext<Tray>
            var items: [Item] { children(\.items) }
        }
        struct Crate: Model {
            struct State: Equatable, Identifiable {
                var id = 1
                var tray = Tray.State()
            }
            let context: ModelContext<Crate>
            static let children: [Child<Crate>] = [.one(\.tray, Tray.self)]
            var tray: Tray { child(\.tray) }
        }
        let fixture = Fixture<[Crate]>([.init()])
        #expect(fixture.model[0].tray.items.isEmpty)
        let heard = fixture.after { _ in
            fixture.store.replace([.init(tray: .init(items: [.init(id: 7)]))])
        }
        #expect(heard == ["+item 7"])
        #expect(fixture.model[0].tray.items.map(\.id) == [7])
    }

    @Test("OS-20: of two writes in one context each is notified in it, and not behind the one before")
    func contextTwice() {
        let fixture = Fixture<App>(.init())
        let (app, notes) = (fixture.model, fixture.notes)
        let loud = NotificationContext { notify in
            notes.add("<")
            notify()
            notes.add(">")
        }
        let token = app.source(of: \.title).subscribe(replayCurrent: false) { notes.add($0) }
        let heard = fixture.after { app in
            loud {
                app.state.title = "a"
                app.state.title = "b"
            }
        }
        #expect(heard == ["<", "a", ">", "<", "b", ">"])
        token.cancel()
    }

    @Test("An identified array as a container sets nothing for an absent element")
    func absentElement() {
        var rows: IdentifiedArray<Row.State> = [.init(id: 1)]
        rows[elementID: 2] = .init(id: 2)
        #expect(rows.ids == [1])
        rows[elementID: 1] = .init(id: 1, title: "x")
        #expect(rows.map(\.title) == ["x"])
    }

    @Test("The state before a write is released when the records of it have been made")
    func recordReleased() {
        let fixture = Fixture<[Carrier]>([])
        let records = fixture.store.onWrite { _ in }
        weak var load: Load?
        do {
            let new = Load()
            load = new
            fixture.store.replace([.init(id: 1, load: new)])
            fixture.scheduler.advance()
            fixture.model[0].context.state.load = nil
            fixture.scheduler.advance()
        }
        #expect(load == nil)
        records.cancel()
    }

    @Test("What a transaction in a transaction has undone is not notified in its context")
    func undoneContext() {
        let fixture = Fixture<App>(.init())
        let (app, notes) = (fixture.model, fixture.notes)
        let loud = NotificationContext { notify in
            notes.add("loud")
            notify()
        }
        let token = app.source(of: \.title).subscribe(replayCurrent: false) { notes.add($0) }
        let heard = fixture.after { app in
            app.transaction {
                app.state.title = "a"
                try? app.transaction {
                    loud { app.state.title = "b" }
                    throw Failure()
                }
            }
        }
        #expect(heard == ["a"])
        token.cancel()
    }
}
