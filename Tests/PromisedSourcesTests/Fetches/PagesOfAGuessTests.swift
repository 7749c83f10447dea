import Promise
import PromisedSources
import PromisedTesting
import TestSupport
import Testing

@Suite struct PagesOfAGuessTests {
    private func pages(_ items: [[Int]]) -> Pages<Int, Int> {
        var pages = Pages<Int, Int>()
        for (number, page) in items.enumerated() { pages.append(Page(page, next: number + 1), at: number) }
        return pages
    }

    @Test("random insertions, removals and moves of items are those of an array, and pages stay in order")
    func random() {
        var dice = SeededGenerator(seed: firstSeed())
        for _ in 0..<rounds(200, stress: 10_000) {
            var pages = pages(
                (0..<3).map { page in (0..<Int.random(in: 0...3, using: &dice)).map { page * 10 + $0 } })
            var items = pages.items
            for step in 0..<8 {
                let place = Int.random(in: 0...items.count, using: &dice)
                switch Int.random(in: 0..<3, using: &dice) {
                case 0:
                    pages.insert(100 + step, at: place)
                    items.insert(100 + step, at: place)
                case 1:
                    pages.removeItems { $0 % 3 == place % 3 }
                    items.removeAll { $0 % 3 == place % 3 }
                default:
                    guard items.indices.contains(place) else { break }
                    let end = Int.random(in: 0..<items.count, using: &dice)
                    pages.moveItem(from: place, to: end)
                    items.insert(items.remove(at: place), at: end)
                }
                #expect(pages.items == items && pages.cursors == [0, 1, 2] && pages.next.cursor == 3)
            }
        }
    }

    @Test("items that are there stay on their pages")
    func boundaries() {
        var pages = pages([[1, 2], [3, 4]])
        pages.insert(9, at: 0)
        pages.insert(8, at: 3)
        pages.removeItems { $0 == 2 }
        #expect(pages.pages.map(\.items) == [[9, 1], [8, 3, 4]])
        pages.moveItem(from: 4, to: 0)
        #expect(pages.pages.map(\.items) == [[4, 9, 1], [8, 3]])
        pages.moveItem(from: 7, to: 0)
        pages.insert(7, at: 99)
        #expect(pages.items == [4, 9, 1, 8, 3, 7])
        var empty = Pages<Int, Int>()
        empty.insert(1, at: 0)
        empty.moveItem(from: 0, to: 1)
        #expect(empty.items == [])
    }

    // MARK: A number of pages

    struct LimitedKey: PagesKey {
        let first = 2
        let maxPages: Int? = 2
        func fetchPage(at cursor: Int, from server: CityServer) -> Promise<Page<String, Int>> {
            server.answer("p\(cursor)v").map { text in
                Page([text], next: cursor < 5 ? cursor + 1 : nil, previous: cursor > 1 ? cursor - 1 : nil)
            }
        }
    }

    @Test("no more pages are kept than the key says: the other side goes, and is fetched again from there")
    func limited() {
        let server = CityServer()
        let fetches = server.fetches
        let observer = server.observe(fetches.source(LimitedKey(), freshFor: .seconds(1_000))) { pages in
            "\(pages.previous.cursor ?? 0)|\(pages.items.joined(separator: " "))|\(pages.next.cursor ?? 0)"
        }
        server.scheduler.advance(by: .seconds(1))
        _ = observer.take()
        var shown: [String] = []
        for isNext in [true, true, true, true, false, false, false] {
            if isNext {
                fetches.fetchNextPage(of: LimitedKey())
            } else {
                fetches.fetchPreviousPage(of: LimitedKey())
            }
            server.scheduler.advance(by: .seconds(1))
            shown.append(observer.take().last ?? "")
        }
        #expect(
            shown == [
                "1|p2v1 p3v1|4", "2|p3v1 p4v1|5", "3|p4v1 p5v1|0", "", "2|p3v1 p4v1|5", "1|p2v1 p3v1|4",
                "0|p1v1 p2v1|3",
            ])
        _ = server.takeLog()
        fetches.invalidate(LimitedKey())
        server.scheduler.advance(by: .seconds(2))
        #expect(server.log == ["p1v", "p2v"])
        observer.end()
    }

    // MARK: A page without items

    struct NewsKey: PagesKey {
        let first = 0
        func fetchPage(at cursor: Int, from server: CityServer) -> Promise<Page<String, Int>> {
            server.answer("p\(cursor)v").map { text in
                // What is newer than the first page is not there yet, and has no cursor of what follows.
                cursor < 0
                    ? Page(text.hasSuffix("3") ? ["news"] : [], previous: cursor - 1)
                    : Page(["p\(cursor)"], next: cursor + 1, previous: cursor - 1)
            }
        }
    }

    @Test("a refresh goes on behind a first page without items")
    func emptyFirst() {
        let server = CityServer()
        let fetches = server.fetches
        let observer = server.observe(fetches.source(NewsKey())) { "\($0.cursors) \($0.items)" }
        server.scheduler.advance(by: .seconds(1))
        fetches.fetchNextPage(of: NewsKey())
        fetches.fetchPreviousPage(of: NewsKey())
        server.scheduler.advance(by: .seconds(2))
        #expect(observer.take().last == #"[-1, 0, 1] ["p0", "p1"]"#)
        server.change()
        fetches.invalidate(NewsKey())
        server.scheduler.advance(by: .seconds(3))
        #expect(observer.take().last == #"[-1, 0, 1] ["p0", "p1"]"#)
        // It has items now.
        server.change()
        fetches.invalidate(NewsKey())
        server.scheduler.advance(by: .seconds(3))
        #expect(observer.take().last == #"[-1] ["news"]"#)
        observer.end()
    }

    @Test("a list that has become empty on the server is empty after a refresh")
    func emptied() {
        struct EmptiedKey: PagesKey {
            let first = 0
            func fetchPage(at cursor: Int, from server: CityServer) -> Promise<Page<String, Int>> {
                server.answer("p").map { $0 == "p1" ? Page(["a"], next: cursor + 1) : Page([]) }
            }
        }
        let server = CityServer()
        let fetches = server.fetches
        let observer = server.observe(fetches.source(EmptiedKey())) { "\($0.items)" }
        server.scheduler.advance(by: .seconds(1))
        fetches.fetchNextPage(of: EmptiedKey())
        server.scheduler.advance(by: .seconds(1))
        server.change()
        fetches.invalidate(EmptiedKey())
        server.scheduler.advance(by: .seconds(2))
        #expect(observer.take().last == "[]")
        observer.end()
    }
}
