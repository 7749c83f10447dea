import Foundation
import PromisedSystem
import PromisedTesting
import Testing

@Suite struct StateDiffTests {
    private struct Item: Equatable { var name: String, price: Int }
    private struct Shop {
        var title = "a"
        var items: [Item] = []
        var chosen: Item?
        var stock: [String: Int] = [:]
        var tags: Set<String> = []
        var pair = (1, 2)
    }
    private enum Page { case empty, loading(String), shown(Item, count: Int) }
    private final class Thing {}
    private struct Holder { var thing: Thing, number = 0 }

    private func lines<Value>(_ before: Value, _ after: Value) -> [String] {
        StateDiff(from: before, to: after).changes.map(\.description)
    }

    @Test(
        "Changed leaves are listed by path: structs, optionals, tuples, dictionaries by key, sets by member")
    func kinds() {
        var shop = Shop()
        shop.title = "b"
        shop.chosen = Item(name: "lamp", price: 1)
        shop.stock = ["lamp": 2, "mug": 1]
        shop.tags = ["new"]
        shop.pair = (1, 3)
        var before = Shop()
        before.stock = ["lamp": 1, "oud": 4]
        before.tags = ["old"]
        #expect(
            lines(before, shop) == [
                #"title: "a" → "b""#,
                #"chosen: nil → Item(name: "lamp", price: 1)"#,
                #"stock["lamp"]: 1 → 2"#, #"stock["mug"]: + 1"#, #"stock["oud"]: - 4"#,
                #"tags: - "old""#, #"tags: + "new""#, "pair..1: 2 → 3",
            ])
        #expect(lines(shop, shop) == [])
    }

    @Test("Arrays are compared by element, between their common prefix and suffix") func arrays() {
        #expect(lines([1, 2, 3], [1, 9, 3]) == ["[1]: 2 → 9"])
        #expect(lines([1, 2, 3], [1, 3]) == ["[1]: - 2"])
        #expect(lines([1, 3], [1, 2, 3]) == ["[1]: + 2"])
        let items = [Item(name: "a", price: 1), Item(name: "b", price: 2)]
        var others = items
        others[1].price = 5
        #expect(lines(items, others) == ["[1].price: 2 → 5"])
    }

    @Test("Enums are compared by case, then by payload") func cases() {
        #expect(lines(Page.empty, .empty) == [])
        #expect(lines(Page.loading("a"), .loading("b")) == [#"loading: "a" → "b""#])
        #expect(lines(Page.empty, .loading("b")).count == 1)
        let lamp = Item(name: "lamp", price: 1)
        #expect(lines(Page.shown(lamp, count: 1), .shown(lamp, count: 2)) == ["shown.count: 1 → 2"])
    }

    private struct Money: Equatable, CustomStringConvertible {
        let cents: Int
        var description: String { "\(cents) ct" }
    }
    private struct Line {
        var page: Page, price: Money?
        var tags: Set<String> = ["b", "a"]
        var stock = ["x": [1, 2]]
        var at = (1, y: 2)
    }

    @Test("Values are printed as Swift code, and those with a description by that")
    func values() {
        #expect(lines(Page.empty, .loading("b")) == [#".empty → .loading("b")"#])
        #expect(
            lines(Page.empty, .shown(Item(name: "a", price: 1), count: 2)) == [
                #".empty → .shown(Item(name: "a", price: 1), count: 2)"#
            ])
        #expect(lines(Money?.none, Money(cents: 3)) == ["nil → 3 ct"])
        #expect(
            lines(Line?.none, Line(page: .empty, price: Money(cents: 3))) == [
                #"nil → Line(page: .empty, price: 3 ct, tags: ["a", "b"], stock: ["x": [1, 2]], at: (1, y: 2))"#
            ])
        #expect(lines([String: Int]?.none, [:]) == ["nil → [:]"])
    }

    private struct Visit {
        var at = Date(timeIntervalSinceReferenceDate: 0)
        var page = URL(filePath: "/a")
        var pause = Duration.seconds(1)
        var data = Data([1])
        var places = 1...2
        var price = Decimal(1)
    }

    @Test("Dates, durations and the like are printed as a whole")
    func described() {
        var visit = Visit()
        (visit.at, visit.page) = (visit.at + 1, URL(filePath: "/b"))
        (visit.pause, visit.data, visit.places, visit.price) = (.milliseconds(300), Data([2]), 1...3, 2)
        #expect(
            lines(Visit(), visit) == [
                "at: 2001-01-01 00:00:00 +0000 → 2001-01-01 00:00:01 +0000", "page: file:///a → file:///b",
                "pause: 1.0 seconds → 0.3 seconds", "data.bytes[0]: 1 → 2", "places.upperBound: 2 → 3",
                "price: 1 → 2",
            ])
    }

    @Test("Objects are compared by identity, and their properties are not") func objects() {
        let thing = Thing()
        #expect(lines(Holder(thing: thing), Holder(thing: thing)) == [])
        #expect(lines(Holder(thing: thing), Holder(thing: Thing())) == ["thing: Thing → another Thing"])
    }

    @Test("The output is bounded for huge states, and says what it omits") func bounded() {
        let (zeros, ones) = ([Int](repeating: 0, count: 5000), [Int](repeating: 1, count: 5000))
        let diff = StateDiff(from: zeros, to: ones)
        #expect(diff.changes.count == 100)
        #expect(!diff.isComplete)
        #expect(diff.description.hasSuffix("\n…"))
        let long = StateDiff(from: "", to: String(repeating: "x", count: 1000))
        #expect((long.changes.first?.after?.count ?? 0) == 201)
    }

    @Test("Of long texts, the part is shown in which they differ") func longTexts() {
        let text =
            "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age"
        #expect(
            lines(text, text.replacing("worst", with: "first"))
                == ["…es, it was the worst of times, i… → …es, it was the first of times, i…"]
        )
        #expect(
            lines([text], [text + " of foolishness"]) == [
                #"[0]: … it was the age" → … it was the age of foolishness""#
            ])
        #expect(lines(text, "") == [#""\#(text)" → """#])
        let letters = String(repeating: "a", count: 90)
        #expect(lines(letters, letters + "a") == [#"…aaaaaaaaaaaaaaa" → …aaaaaaaaaaaaaaaa""#])
    }

    @Test("Changes are printed to a sink, by event, through the loop's one hook") func printing() {
        let system = System<Int, Int>(initialState: 0, scheduler: .immediate) { state, event in
            event < 0 ? Promise(error: TestError("negative")) : .value(state + event)
        }
        system.onError { _ in }
        let log = Log<String>()
        system.printChanges { log.add($0) }
        for event in [2, 0, -1] { system.sendEvent(event) }
        #expect(log.entries == ["2: 0 → 2", "0: no change", "-1: failed: negative"])
    }
}
