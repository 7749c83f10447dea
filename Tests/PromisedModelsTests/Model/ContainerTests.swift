import PromisedModels
import PromisedTesting
import TestSupport
import Testing

struct ContainerTests {
    @Test("OS-09: an optional child lives while its state is not nil")
    func optional() {
        let fixture = Fixture<App>(.init())
        #expect(fixture.model.sheet == nil)
        #expect(fixture.after { $0.state.sheet = .init(count: 3) } == ["+counter"])
        #expect(fixture.model.sheet?.count == 3)
        #expect(fixture.after { $0.state.sheet = .init(count: 4) } == [])
        #expect(fixture.after { $0.state.sheet = nil } == ["-counter"])
        #expect(fixture.model.sheet == nil)
    }

    @Test("OS-10: elements keep their models when they move, and only what is removed ends")
    func collection() {
        let fixture = Fixture<App>(.rows(1, 2))
        let one = fixture.model.rows[0]
        #expect(fixture.after { $0.state.rows.swapAt(0, 1) } == [])
        one.counter.increment()
        #expect(fixture.store.state.rows.map(\.counter.count) == [0, 1])
        #expect(fixture.after { $0.state.rows.removeAll { $0.id == 1 } } == ["-counter", "-row 1"])
        #expect(fixture.model.rows.map(\.id) == [2])
        let two: Row? = fixture.model.child(\.rows, id: 2)
        #expect(two?.id == 2)
        let removed: Row? = fixture.model.child(\.rows, id: 1)
        #expect(removed == nil)
    }

    @Test("OS-11: a container of one's own begins and ends its children with their keys")
    func ownContainer() {
        let fixture = Fixture<Shelf>(.init())
        #expect(fixture.after { $0.context.state.books.books["a"] = .init(id: 1) } == ["+row 1", "+counter"])
        #expect(fixture.after { $0.context.state.books.books["a"]?.title = "kept" } == [])
        let book: Row? = fixture.model.child(\.books, id: "a")
        book?.state.title = "written"
        #expect(fixture.store.state.books.books["a"]?.title == "written")
        #expect(fixture.after { $0.context.state.books.books["a"] = nil } == ["-counter", "-row 1"])
    }

    @Test("A dictionary is a container")
    func dictionary() {
        let fixture = Fixture<Drawer>(.init(parts: ["a": .init()]))
        let part: Counter? = fixture.model.child(\.parts, id: "a")
        part?.increment()
        #expect(fixture.store.state.parts["a"]?.count == 1)
        #expect(fixture.after { $0.context.state.parts["b"] = .init() } == ["+counter"])
        #expect(fixture.after { $0.context.state.parts["a"] = nil } == ["-counter"])
    }

    @Test(
        "OS-59: an identified array keeps order, finds by identity, and refuses a second element of an identity"
    )
    func identifiedArray() {
        struct Book: Identifiable, Equatable { var id: String, title = "" }
        var books: IdentifiedArray<Book> = [Book(id: "a"), Book(id: "b"), Book(id: "c")]
        books.remove(id: "b")
        #expect(books.map(\.id) == ["a", "c"])
        #expect(books[id: "b"] == nil)
        Reports.begin()
        let isAppended = books.append(Book(id: "a", title: "again"))
        #expect(!isAppended)
        #expect(Reports.about("has refused a Book").count == 1)
        #expect(books[id: "a"]?.title == "")
        books[id: "c"]?.title = "three"
        #expect(books[1].title == "three")
        books[id: "c"]?.id = "a"
        #expect(books.map(\.id) == ["a", "c"])
        books.move(id: "c", to: 0)
        #expect(books.map(\.id) == ["c", "a"])
        #expect(books.index(id: "a") == 1)
        books[id: "d"] = Book(id: "d")
        books.removeAll { $0.id == "a" }
        #expect(books.map(\.id) == ["c", "d"])
        #expect(books.index(id: "d") == 1)
    }

    @Test("OS-60: a case of an enum is a child, which ends when another case begins")
    func cases() {
        let fixture = Fixture<Screen>(.init())
        #expect(fixture.after { $0.context.state.place = .edit(.init(id: 7)) } == ["+row 7", "+counter"])
        #expect(fixture.model.edit?.id == 7)
        #expect(fixture.model.count == nil)
        fixture.model.edit?.state.title = "edited"
        #expect(fixture.store.state.place == .edit(.init(id: 7, title: "edited")))
        #expect(
            fixture.after { $0.context.state.place = .count(.init()) } == ["-counter", "-row 7", "+counter"])
        #expect(fixture.model.edit == nil)
        #expect(fixture.model.count?.count == 0)
        #expect(fixture.after { $0.context.state.place = nil } == ["-counter"])
    }

    @Test("OS-08, OS-09, OS-10: declared by a wrapper, the models are its projected values")
    func wrappers() {
        let fixture = Fixture<Wrapped>(.init())
        fixture.model.$likes.increment()
        #expect(fixture.store.state.likes.count == 1)
        #expect(fixture.model.$sheet == nil)
        #expect(fixture.after { $0.context.state.sheet = .init() } == ["+counter"])
        fixture.model.$sheet?.increment()
        #expect(fixture.store.state.sheet?.count == 1)
        #expect(fixture.after { $0.context.state.rows.append(.init(id: 4)) } == ["+row 4", "+counter"])
        #expect(fixture.model.$rows.map(\.id) == [4])
        #expect(fixture.store.state.rows.count == 1)
    }

    @Test("OS-11: an element of an own container that gets another identity ends, and another begins")
    func ownIdentity() {
        let fixture = Fixture<Bag>(.init(coins: .init([.init(id: 1), .init(id: 2)])))
        let first = fixture.model.coins[0]
        #expect(fixture.after { $0.coins[0].state.id = 7 } == ["-item 1", "+item 7"])
        #expect(!first.context.isActive)
        #expect(fixture.model.coins.map(\.id) == [7, 2])
        #expect(fixture.after { $0.coins[1].state.update { $0.id = 8 } } == ["-item 2", "+item 8"])
    }

    @Test("An element that its container has lost is read as it was first, which is reported")
    func lostLater() {
        Reports.begin()
        let fixture = Fixture<Bag>(.init(coins: .init([.init(id: 31, text: "gold")])))
        let coin = fixture.model.coins[0]
        coin.state.text = ""
        #expect(coin.text == "gold")
        #expect(fixture.model.coins.map(\.id) == [31])
        coin.state.text = "silver"
        fixture.scheduler.advance()
        #expect(Reports.about("A container of states of Item").count == 1)
    }

    @Test("OS-59: an identified array refuses an identity that it has, also by way of a model")
    func collision() {
        Reports.begin()
        let fixture = Fixture<Ordered>(.init(items: [.init(id: 1, text: "a"), .init(id: 2, text: "b")]))
        let items: [Item] = fixture.model.children(\.items)
        items[1].state.id = 1
        items[1].state.update { $0.id = 1 }
        #expect(fixture.store.state.items.map(\.id) == [1, 2])
        #expect(items[1].text == "b")
        items[1].state.id = 3
        #expect(fixture.store.state.items.map(\.id) == [1, 3])
        #expect(fixture.store.state.items[id: 3]?.text == "b")
        fixture.scheduler.advance()
        #expect(
            Reports.about(
                "An IdentifiedArray has refused a State, because it already has one with the identity 1"
            ).count == 1)
    }

    @Test("OS-59: an identified array finds its elements after a closure that has thrown")
    func throwingClosures() {
        var items: IdentifiedArray<Item.State> = [.init(id: 3), .init(id: 1), .init(id: 2)]
        #expect(throws: Failure.self) {
            try items.sort { one, other in
                if one.id == 2 || other.id == 2 { throw Failure() }
                return one.id < other.id
            }
        }
        #expect(items.allSatisfy { items[id: $0.id]?.id == $0.id })
        #expect(throws: Failure.self) {
            try items.removeAll { item in
                if item.id == 2 { throw Failure() }
                return true
            }
        }
        #expect(items.allSatisfy { items[id: $0.id]?.id == $0.id })
        #expect(items.allSatisfy { items.index(id: $0.id) != nil })
        let isFound = items.changeElement(2, near: 0) { $0.text = "kept" }
        #expect(isFound)
        #expect(items[id: 2]?.text == "kept")
    }

    @Test("A part that is used as the state of another model has that too, which is reported")
    func otherModel() {
        Reports.begin()
        let fixture = Fixture<Shop>(.init())
        let declared: Counter = fixture.model.child(\.count)
        let other: OtherCounter = fixture.model.child(\.count)
        declared.increment()
        other.context.state.count += 1
        #expect(fixture.store.state.count.count == 2)
        #expect(other.count == 2)
        fixture.scheduler.advance()
        #expect(Reports.about("was used as a child, a OtherCounter").count == 1)
    }

    @Test("OS-32: an optional child or root whose identity changes ends, and another begins")
    func optionalIdentity() {
        let wrapped = Fixture<Shop>(.init(cover: .init(id: 1)))
        #expect(wrapped.after { $0.context.state.cover = .init(id: 2) } == ["-item 1", "+item 2"])
        #expect(wrapped.after { $0.$cover?.state.id = 3 } == ["-item 2", "+item 3"])
        let root = Fixture<Item?>(.init(id: 1))
        root.store.replace(.init(id: 2))
        root.scheduler.advance()
        #expect(root.notes.take() == ["+item 1", "-item 1", "+item 2"])
        #expect(root.after { $0?.state.id = 3 } == ["-item 2", "+item 3"])
        let late = Fixture<Shop>(.init(late: .init(id: 1)))
        #expect(late.after { $0.late?.state.text = "x" } == ["+item 1"])
        #expect(late.after { $0.late?.state.id = 3 } == ["-item 1", "+item 3"])
    }

    @Test("Two elements of one identity in an array at the root are reported")
    func rootDuplicates() {
        struct Double: Model {
            struct State: Equatable, Identifiable { let id: Int }
            let context: ModelContext<Double>
        }
        Reports.begin()
        let fixture = Fixture<[Double]>([.init(id: 1), .init(id: 1)])
        #expect(fixture.model.count == 1)
        #expect(Reports.about("Two states of Double").count == 1)
    }

    @Test("A child that is not listed changes with its state below children that never change")
    func lateBelowFixed() {
        struct Inner: Model {
            struct State: Equatable { var sheet: Item.State? }
            let context: ModelContext<Inner>
            var sheet: Item? { optionalChild(\.sheet) }
        }
        struct Outer: Model {
            struct State: Equatable { var inner = Inner.State() }
            let context: ModelContext<Outer>
            static let children: [Child<Outer>] = [.one(\.inner, Inner.self)]
            var inner: Inner { child(\.inner) }
        }
        let fixture = Fixture<Outer>(.init())
        #expect(fixture.model.inner.sheet == nil)
        #expect(fixture.after { $0.context.state.inner.sheet = .init(id: 4) } == ["+item 4"])
        #expect(fixture.model.inner.sheet?.id == 4)
        #expect(fixture.after { $0.context.state.inner = .init() } == ["-item 4"])
        #expect(fixture.model.inner.sheet == nil)
    }

    @Test("OS-10, OS-11: a wrapper declares the models of identified arrays, dictionaries and own containers")
    func containerWrappers() {
        let fixture = Fixture<Cupboard>(.init())
        #expect(fixture.after { $0.context.state.rows.append(.init(id: 4)) } == ["+row 4", "+counter"])
        #expect(
            fixture.after { $0.context.state.rows.insert(.init(id: 5), at: 0) } == ["+row 5", "+counter"])
        #expect(fixture.model.$rows.map(\.id) == [5, 4])
        #expect(fixture.model.child(\.$rows, id: 4)?.id == 4)
        #expect(fixture.model.child(\.$rows, id: 6) == nil)
        #expect(fixture.after { $0.context.state.parts["a"] = .init() } == ["+counter"])
        fixture.model.child(\.$parts, id: "a")?.increment()
        #expect(fixture.store.state.parts["a"]?.count == 1)
        #expect(fixture.after { $0.context.state.parts["a"] = nil } == ["-counter"])
        #expect(fixture.model.$parts.isEmpty)
        #expect(fixture.after { $0.context.state.books.books["b"] = .init(id: 1) } == ["+row 1", "+counter"])
        #expect(fixture.model.$books.map(\.id) == [1])
        #expect(fixture.after { $0.context.state.rows.remove(id: 4) } == ["-counter", "-row 4"])
    }

    @Test("OS-43: events of the models of a container come from its place")
    func containerEvents() {
        let fixture = Fixture<Cupboard>(.init(rows: [.init(id: 4)]))
        let (model, notes) = (fixture.model, fixture.notes)
        model.forEach(model.events(from: \.$rows)) { event, row in notes.add("\(row.id) \(event)") }
        #expect(fixture.after { $0.$rows[0].send(.remove) } == ["4 remove"])
    }

    @Test("The models of a container can be the root of a store")
    func containerRoot() {
        let fixture = Fixture<KeyedModels<String, Counter>>(["a": .init()])
        #expect(fixture.model.map(\.count) == [0])
        fixture.model[0].increment()
        #expect(fixture.store.state == ["a": .init(count: 1)])
        #expect(fixture.after { _ in fixture.store.replace([:]) } == ["-counter"])
    }
}

struct Shelf: Model {
    struct State: Equatable { var books = Books() }
    struct Books: StateContainer, Equatable {
        var books: [String: Row.State] = [:]
        var elementIDs: [String] { books.keys.sorted() }
        subscript(elementID id: String) -> Row.State? {
            get { books[id] }
            set { books[id] = newValue }
        }
    }
    let context: ModelContext<Shelf>
    static let children: [Child<Shelf>] = [.each(\.books, Row.self)]
}

/// A container that keeps the identities that it began with, and loses elements without a text.
struct Coins: StateContainer, Equatable {
    var items: [Item.State]
    init(_ items: [Item.State]) { self.items = items }

    var elementIDs: [Int] { items.map(\.id) }
    static func elementID(of element: borrowing Item.State) -> Int? { element.id }
    subscript(elementID id: Int) -> Item.State? {
        get { items.first { $0.id == id && ($0.id < 30 || !$0.text.isEmpty) } }
        set {
            guard let newValue, let place = items.firstIndex(where: { $0.id == id }) else { return }
            items[place] = newValue
        }
    }
}

struct Bag: Model {
    struct State: Equatable { var coins: Coins }
    let context: ModelContext<Bag>
    static let children: [Child<Bag>] = [.each(\.coins, Item.self)]
    var coins: [Item] { children(\.coins) }
}

struct Ordered: Model {
    struct State: Equatable { var items: IdentifiedArray<Item.State> = [] }
    let context: ModelContext<Ordered>
    static let children: [Child<Ordered>] = [.each(\.items, Item.self)]
}

struct Shop: Model {
    struct State: Equatable {
        var count = Counter.State()
        @StateModel<Item?> var cover = nil
        var late: Item.State?
    }
    let context: ModelContext<Shop>
    static let children: [Child<Shop>] = [.one(\.count, Counter.self), .of(\.$cover)]
    var late: Item? { optionalChild(\.late) }
}

struct OtherCounter: Model {
    typealias State = Counter.State
    let context: ModelContext<OtherCounter>
}

struct Drawer: Model {
    struct State: Equatable { var parts: [String: Counter.State] = [:] }
    let context: ModelContext<Drawer>
    static let children: [Child<Drawer>] = [.each(\.parts, Counter.self)]
}

struct Wrapped: Model {
    struct State: Equatable {
        @StateModel<Counter> var likes = .init()
        @StateModel<Counter?> var sheet = nil
        @StateModel<[Row]> var rows = []
    }
    let context: ModelContext<Wrapped>
    static let children: [Child<Wrapped>] = [.of(\.$likes), .of(\.$sheet), .of(\.$rows)]
}

struct Cupboard: Model {
    struct State: Equatable {
        @StateModel<IdentifiedModels<Row>> var rows = []
        @StateModel<KeyedModels<String, Counter>> var parts = [:]
        @StateModel<ContainedModels<Shelf.Books, Row>> var books = .init()
    }
    let context: ModelContext<Cupboard>
    static let children: [Child<Cupboard>] = [.of(\.$rows), .of(\.$parts), .of(\.$books)]
}
