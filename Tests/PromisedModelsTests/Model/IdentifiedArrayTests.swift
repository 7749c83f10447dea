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
}
