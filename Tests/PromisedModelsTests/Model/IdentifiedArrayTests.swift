import Promise
import TestSupport
import Foundation
import PromisedModels
import Testing

struct IdentifiedArrayTests {
    private struct Book: Identifiable, Equatable, Codable, Sendable {
        var id: String
        var title = ""
    }

    @Test("OS-59: an element that is set by another identity than its own is refused")
    func otherIdentity() {
        var books: IdentifiedArray<Book> = [Book(id: "a"), Book(id: "b")]
        books[id: "a"] = Book(id: "b", title: "other")
        books[id: "c"] = Book(id: "d")
        #expect(books.elements == [Book(id: "a"), Book(id: "b")])
        #expect(books.index(id: "a") == 0)
        #expect(books.index(id: "d") == nil)
    }

    @Test("OS-59: an element that is set to nil in place is removed")
    func removalInPlace() {
        func clear(_ book: inout Book?) { book = nil }
        var books: IdentifiedArray<Book> = [Book(id: "a"), Book(id: "b")]
        clear(&books[id: "a"])
        clear(&books[id: "c"])
        #expect(books.ids == ["b"])
        #expect(books.index(id: "b") == 0)
    }

    @Test("OS-59: a place outside of the array is taken as the nearest one inside")
    func outside() {
        var books: IdentifiedArray<Book> = [Book(id: "a"), Book(id: "b")]
        books.insert(Book(id: "first"), at: -5)
        books.insert(Book(id: "last"), at: 100)
        #expect(books.ids == ["first", "a", "b", "last"])
        books.move(id: "first", to: 100)
        #expect(books.ids == ["a", "b", "last", "first"])
        #expect(books.ids.map { books.index(id: $0) } == [0, 1, 2, 3])
    }

    @Test("OS-59: it is encoded as a plain array; a repeated identity is no valid array")
    func coding() throws {
        let books: IdentifiedArray<Book> = [Book(id: "a"), Book(id: "b", title: "B")]
        let data = try JSONEncoder().encode(books)
        #expect(try JSONDecoder().decode([Book].self, from: data) == books.elements)
        #expect(try JSONDecoder().decode(IdentifiedArray<Book>.self, from: data) == books)
        let repeated = try JSONEncoder().encode([Book(id: "a"), Book(id: "a", title: "A")])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(IdentifiedArray<Book>.self, from: repeated)
        }
    }

    @Test("OS-59: several elements are appended, and a difference names them by their places")
    func appending() {
        var books: IdentifiedArray<Book> = [Book(id: "a")]
        let before = books
        books.append(contentsOf: [Book(id: "b"), Book(id: "c")])
        #expect(books.ids == ["a", "b", "c"])
        books[id: "a"]?.title = "A"
        let text = StateDiff(from: before, to: books).description
        #expect(text.contains("[0].title") && !text.contains("places"))
    }

    @Test("OS-59: a mutation by the subscript adds no element of another identity")
    func addedIdentity() {
        struct Stone: Identifiable { let id: Int }
        func set(_ stone: inout Stone?, _ id: Int) { stone = Stone(id: id) }
        var stones: IdentifiedArray<Stone> = [Stone(id: 1)]
        set(&stones[id: 2], 3)
        #expect(stones.ids == [1])
        set(&stones[id: 2], 2)
        #expect(stones.ids == [1, 2])
    }

    @Test("An identified array as a container sets nothing for an absent element")
    func absentElement() {
        var rows: IdentifiedArray<Row.State> = [.init(id: 1)]
        rows[elementID: 2] = .init(id: 2)
        #expect(rows.ids == [1])
        rows[elementID: 1] = .init(id: 1, title: "x")
        #expect(rows.map(\.title) == ["x"])
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
}
