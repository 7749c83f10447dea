import PromisedModels
import PromisedTesting
import Synchronization
import TestSupport
import Testing

/// What an access to one row of many does, counted.
@Suite(.tags(.sharedState), .serialized) struct ManyRowsTests {
    /// An element that counts how often its identity is asked for.
    struct Entry: Model {
        struct State: Equatable, Identifiable {
            static let asked = Atomic(0)
            var place: Int
            var text = ""
            var id: Int {
                Self.asked.add(1, ordering: .relaxed)
                return place
            }
        }
        static let created = Atomic(0)
        let context: ModelContext<Entry>

        init(context: ModelContext<Entry>) {
            self.context = context
            Self.created.add(1, ordering: .relaxed)
        }
    }

    struct Ledger: Model {
        struct State: Equatable { var plain: [Entry.State] }
        let context: ModelContext<Ledger>
        static let children: [Child<Ledger>] = [.each(\.plain, Entry.self)]

        var plain: ArrayModels<Entry> { children(\.plain) }
    }

    struct Identified: Model {
        struct State: Equatable { var entries: IdentifiedArray<Entry.State> }
        let context: ModelContext<Identified>
        static let children: [Child<Identified>] = [.each(\.entries, Entry.self)]
    }

    private static func entries(_ count: Int) -> [Entry.State] { (0..<count).map { Entry.State(place: $0) } }
    private static func ledger(_ count: Int) -> Fixture<Ledger> { Fixture(.init(plain: entries(count))) }

    private static func asked(_ body: () -> Void) -> Int {
        Entry.State.asked.store(0, ordering: .relaxed)
        body()
        return Entry.State.asked.load(ordering: .relaxed)
    }

    @Test("An update of one element of an identified array asks no other for its identity")
    func update() {
        let fixture = Fixture<Identified>(.init(entries: .init(Self.entries(1_000))))
        let state = fixture.model.context.state
        let count = Self.asked { state.update { $0.entries[id: 500]?.text = "x" } }
        #expect(count < 10)
        #expect(Self.asked { state.entries[id: 501]?.text = "y" } < 10)
        #expect(fixture.store.state.entries[501].text == "y")
    }

    @Test("A child is found by its identity without asking the elements for theirs")
    func byIdentity() {
        let fixture = Self.ledger(1_000)
        let count = Self.asked {
            #expect((fixture.model.child(\.plain, id: 700) as Entry?)?.context.isActive == true)
        }
        #expect(count < 10)
    }

    @Test("One of many children as a lazy collection creates one model")
    func lazyChildren() {
        let fixture = Self.ledger(1_000)
        Entry.created.store(0, ordering: .relaxed)
        let entry = fixture.model.plain[700]
        #expect(Entry.created.load(ordering: .relaxed) == 1)
        #expect(entry.place == 700 && fixture.model.plain.count == 1_000)
    }

    @Test("A lazy collection of children has those of the moment when it was taken")
    func snapshot() {
        let fixture = Self.ledger(3)
        let before = fixture.model.plain
        fixture.model.context.state.plain.remove(at: 1)
        #expect(before.map(\.place) == [0, 1, 2])
        #expect(before.map { $0.context.isActive } == [true, false, true])
        #expect(fixture.model.plain.map(\.place) == [0, 2])
    }

    @Test("Children are found by identity after every change of a list", arguments: 1...20)
    func tableAfterChanges(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let fixture = Fixture<App>(.rows(1, 2, 3))
        let app = fixture.model
        for _ in 0..<rounds(50, stress: 2_000) {
            var ids = app.rows.map(\.id)
            for id in 0..<12 {
                let found: Row? = app.child(\.rows, id: id)
                #expect(found?.id == (ids.contains(id) ? id : nil))
                #expect(found.map { $0.context.isActive } ?? true)
            }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: ids.shuffle(using: &random)
            case 1: ids = (0..<12).filter { _ in Bool.random(using: &random) }
            case 2: ids = Array(ids.dropFirst())
            default: ids = ids.isEmpty ? [5] : ids + [ids[0] == 11 ? 0 : 11].filter { !ids.contains($0) }
            }
            app.state.rows = ids.map { Row.State(id: $0) }
        }
    }
}
