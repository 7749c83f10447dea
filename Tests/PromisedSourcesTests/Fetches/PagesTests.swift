import Promise
import PromisedSources
import PromisedTesting
import Testing

/// Pages 1 to 4, of which page 2 is fetched first.
struct PageKey: PagesKey {
    let first = 2
    func fetchPage(at cursor: Int, from server: CityServer) -> Promise<Page<String, Int>> {
        server.answer("p\(cursor)v").map { text in
            Page([text], next: cursor < 4 ? cursor + 1 : nil, previous: cursor > 1 ? cursor - 1 : nil)
        }
    }
}

@Suite struct PagesTests {
    let server = CityServer()

    private func observe(_ fetches: Fetches<CityServer>) -> Observer {
        server.observe(fetches.source(PageKey(), freshFor: .seconds(1000))) { pages in
            let edges = [pages.previous, pages.next].map { edge in
                edge.isFetching
                    ? "…" : edge.failure.map { "!\($0.failedAttempts)" } ?? (edge.hasMore ? ">" : "")
            }
            return edges[0] + pages.items.joined(separator: " ") + edges[1]
        }
    }

    @Test("pages after and before, each once and in order, up to the ends")
    func order() {
        let fetches = server.fetches
        fetches.fetchNextPage(of: PageKey())
        let observer = observe(fetches)
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["…", ">p2v1>"])
        fetches.fetchNextPage(of: PageKey())
        fetches.fetchPreviousPage(of: PageKey())
        fetches.fetchNextPage(of: PageKey())
        server.scheduler.advance(by: .seconds(2))
        #expect(observer.take() == [">p2v1…", "…p2v1…", "…p2v1 p3v1>", "p1v1 p2v1 p3v1>"])
        fetches.fetchNextPage(of: PageKey())
        fetches.fetchPreviousPage(of: PageKey())
        server.scheduler.advance(by: .seconds(1))
        fetches.fetchNextPage(of: PageKey())
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["p1v1 p2v1 p3v1…", "p1v1 p2v1 p3v1 p4v1"])
        #expect(server.log == ["p2v", "p3v", "p1v", "p4v"])
        observer.end()
    }

    @Test("a page that fails keeps the others, and is tried again")
    func failure() {
        let fetches = server.fetches
        let observer = observe(fetches)
        server.scheduler.advance(by: .seconds(1))
        server.fail()
        for _ in 0..<2 {
            fetches.fetchNextPage(of: PageKey())
            server.scheduler.advance(by: .seconds(1))
        }
        server.fail(false)
        fetches.fetchPreviousPage(of: PageKey())
        server.scheduler.advance(by: .seconds(1))
        fetches.fetchNextPage(of: PageKey())
        server.scheduler.advance(by: .seconds(1))
        #expect(
            observer.take() == [
                "…", ">p2v1>", ">p2v1…", ">p2v1!1", ">p2v1…", ">p2v1!2", "…p2v1!2", "p1v1 p2v1!2",
                "p1v1 p2v1…",
                "p1v1 p2v1 p3v1>",
            ])
        observer.end()
    }

    @Test("a page before the first one that fails is tried again, and then its failure is gone")
    func failureBefore() {
        let fetches = server.fetches
        let observer = observe(fetches)
        server.scheduler.advance(by: .seconds(1))
        server.change()
        let cases: [(Bool, String)] = [(true, "!1p2v1>"), (false, "p1v2 p2v1>")]
        for (isFailing, text) in cases {
            server.fail(isFailing)
            fetches.fetchPreviousPage(of: PageKey())
            server.scheduler.advance(by: .seconds(1))
            #expect(observer.take().last == text)
        }
        observer.end()
    }

    @Test("a refresh fetches the pages again, in order, and shows the old ones until all are there")
    func refresh() {
        let fetches = server.fetches
        let observer = observe(fetches)
        server.scheduler.advance(by: .seconds(1))
        fetches.fetchNextPage(of: PageKey())
        fetches.fetchPreviousPage(of: PageKey())
        server.scheduler.advance(by: .seconds(2))
        _ = (observer.take(), server.takeLog())
        server.change()
        fetches.invalidate(PageKey())
        fetches.fetchNextPage(of: PageKey())
        server.scheduler.advance(by: .seconds(4))
        #expect(server.takeLog() == ["p1v", "p2v", "p3v", "p4v"])
        #expect(
            observer.take() == [
                "p1v1 p2v1 p3v1>…", "p1v1 p2v1 p3v1……", "p1v2 p2v2 p3v2…", "p1v2 p2v2 p3v2 p4v2",
            ])
        fetches.invalidate(PageKey())
        server.scheduler.advance(by: .milliseconds(1500))
        server.fail()
        server.scheduler.advance(by: .milliseconds(500))
        #expect(observer.take() == ["p1v2 p2v2 p3v2 p4v2…", "p1v2 p2v2 p3v2 p4v2!"])
        observer.end()
    }

    @Test("a page is not fetched on without its observer")
    func released() {
        let fetches = server.fetches
        let observer = observe(fetches)
        server.scheduler.advance(by: .seconds(1))
        fetches.fetchNextPage(of: PageKey())
        server.scheduler.advance()
        observer.end()
        server.scheduler.advance()
        #expect(server.log == ["p2v", "p3v", "no p3v"])
        fetches.fetchNextPage(of: PageKey())
        server.scheduler.advance()
        #expect(server.log == ["p2v", "p3v", "no p3v"])
        let again = observe(fetches)
        #expect(again.take() == [">p2v1>"])
        again.end()
    }

    @Test("an item is changed optimistically, by the answer, and back if that fails")
    func changedItem() {
        let fetches = server.fetches
        let observer = observe(fetches)
        server.scheduler.advance(by: .seconds(1))
        fetches.fetchNextPage(of: PageKey())
        server.scheduler.advance(by: .seconds(1))
        _ = observer.take()
        func like() -> Promise<String> {
            fetches.change(
                PageKey(), optimistic: { $0.updateItems { if $0.hasPrefix("p3") { $0 += "+" } } },
                by: { [server] in server.answer("liked") }
            ) { pages, answer in pages.updateItems { if $0.hasPrefix("p3") { $0 += answer } } }
        }
        _ = like()
        server.scheduler.advance()
        #expect(observer.take() == [">p2v1 p3v1+>"])
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == [">p2v1 p3v1liked1>"])
        server.fail()
        like().catch { _ in }
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == [">p2v1 p3v1liked1+>", ">p2v1 p3v1liked1>"])
        observer.end()
    }

    @Test("the answer to a change of a value that is not there yet fetches it")
    func changedBeforeFetch() throws {
        let fetches = server.fetches
        let liked = fetches.change(PageKey(), by: { [server] in server.answer("liked") }) { _, _ in
            Issue.record("there is nothing to change")
        }
        server.scheduler.advance(by: .seconds(2))
        #expect(try liked.result?.get() == "liked1")
        #expect(fetches.source(PageKey()).value.fetched?.items == ["p2v1"])
        #expect(server.log == ["liked", "p2v"])
    }

    @Test("a server that refers to a page that is there has no further page")
    func cycle() {
        var pages = Pages<String, Int>()
        pages.append(Page(["a"], next: 2, previous: 2), at: 1)
        pages.append(Page(["b"], next: 1), at: 2)
        pages.append(Page(["c"]), at: 1)
        pages.prepend(Page(["d"]), at: 2)
        #expect(pages.items == ["a", "b"] && pages.cursors == [1, 2])
        #expect(!pages.next.hasMore && !pages.previous.hasMore)
    }
}
