import PromisedModels
import Testing

struct IdentifiedArrayTests {
    private struct Book: Identifiable, Equatable {
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
}
