import Promise
import PromisedSources
import PromisedTesting
import TestSupport
import Testing

@Suite struct MaxPagesTests {
    let server = CityServer()

    /// What each page says of its neighbours.
    enum Links: CaseIterable, Sendable { case both, next, previous }

    struct LimitedKey: PagesKey {
        let links: Links
        var maxPages: Int? { 2 }
        var first: Int { links == .previous ? 5 : 1 }
        func fetchPage(at cursor: Int, from server: CityServer) -> Promise<Page<String, Int>> {
            server.answer("p\(cursor)v").map { [links] text in
                Page(
                    [text], next: links != .previous && cursor < 5 ? cursor + 1 : nil,
                    previous: links != .next && cursor > 1 ? cursor - 1 : nil)
            }
        }
    }

    @Test(
        "a page that went, as there were too many, is fetched again, also if the server says nothing of it",
        arguments: Links.allCases)
    func again(links: Links) throws {
        let key = LimitedKey(links: links)
        let fetches = server.fetches
        let source = fetches.source(key, freshFor: .seconds(1_000))
        let observer = server.observe(source)
        let isForward = links != .previous
        func fetch(next: Bool) throws -> String {
            if next { fetches.fetchNextPage(of: key) } else { fetches.fetchPreviousPage(of: key) }
            server.scheduler.advance(by: .seconds(1))
            let pages = try #require(source.value.fetched?.value)
            let items = pages.items.joined(separator: " ")
            return "\(pages.previous.cursor ?? 0)|\(items)|\(pages.next.cursor ?? 0)"
        }
        server.scheduler.advance(by: .seconds(1))
        for _ in 1...2 { _ = try fetch(next: isForward) }
        #expect(try fetch(next: isForward) == (isForward ? "2|p3v1 p4v1|5" : "1|p2v1 p3v1|4"))
        // A refresh, which follows what is next, keeps what is known of the side that went.
        if links != .previous { fetches.invalidate(key) }
        server.scheduler.advance(by: .seconds(2))
        #expect(try fetch(next: !isForward) == (isForward ? "1|p2v1 p3v1|4" : "2|p3v1 p4v1|5"))
        #expect(try fetch(next: !isForward) == (isForward ? "0|p1v1 p2v1|3" : "3|p4v1 p5v1|0"))
        observer.end()
    }
}
