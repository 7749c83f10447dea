import Promise
import PromisedSources
import PromisedTesting
import Testing

/// The edges of pages of which only some are kept.
@Suite struct PageEdgeTests {
    struct Failed: Error {}

    struct Key: PagesKey {
        let first = 0
        var maxPages: Int? { 2 }
        func fetchPage(at cursor: Int, from server: Stub<Int, Page<Int, Int>>) -> Promise<Page<Int, Int>> {
            server(cursor)
        }
    }

    enum Side: CaseIterable {
        case previous, next

        var other: Side { self == .next ? .previous : .next }
        var step: Int { self == .next ? 1 : -1 }
        func edge(of pages: Pages<Int, Int>?) -> PageEdge<Int>? {
            self == .next ? pages?.next : pages?.previous
        }
    }

    private let scheduler = TestScheduler()
    private let server = Stub<Int, Page<Int, Int>>("server")

    private func fetch(_ side: Side, _ fetches: Fetches<Stub<Int, Page<Int, Int>>>) {
        switch side {
        case .next: fetches.fetchNextPage(of: Key())
        case .previous: fetches.fetchPreviousPage(of: Key())
        }
        scheduler.advance()
    }

    private func answer(_ cursor: Int) {
        server.fulfill(Page([cursor], next: cursor + 1, previous: cursor - 1), call: .with(cursor))
        scheduler.advance()
    }

    @Test(
        "a failure at an edge goes with the page beside it, and what fails there then has failed once",
        arguments: Side.allCases)
    func failure(at side: Side) {
        let fetches = Fetches(from: server, on: scheduler)
        let source = fetches.source(Key())
        let token = source.subscribe { _ in }
        var pages: Pages<Int, Int>? { source.value.fetched?.value }
        scheduler.advance()
        answer(0)
        fetch(side.other, fetches)
        answer(-side.step)
        for attempts in 1...2 {
            fetch(side, fetches)
            server.reject(Failed())
            scheduler.advance()
            #expect(side.edge(of: pages)?.failure?.failedAttempts == attempts)
        }
        // Now there is a page too many, that at the edge.
        fetch(side.other, fetches)
        answer(-2 * side.step)
        #expect(pages?.cursors == [-side.step, -2 * side.step].sorted())
        #expect(side.edge(of: pages) == PageEdge(cursor: 0))
        fetch(side, fetches)
        server.reject(Failed())
        scheduler.advance()
        #expect(side.edge(of: pages)?.failure?.failedAttempts == 1)
        token.cancel()
    }
}
