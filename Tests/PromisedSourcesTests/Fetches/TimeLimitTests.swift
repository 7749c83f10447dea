import Promise
import PromisedSources
import PromisedTesting
import Testing

@Suite struct TimeLimitTests {
    let server = CityServer()

    struct TriedKey: FetchKey {
        var options: FetchOptions { FetchOptions(timeLimit: .seconds(10)) }
        func fetch(from server: CityServer) -> Promise<String> {
            .retry(attempts: 9, backoff: .constant(.seconds(2))) { server.answer("try") }
        }
    }

    struct SlowPagesKey: PagesKey {
        let first = 1
        var options: FetchOptions { FetchOptions(timeLimit: .seconds(10)) }
        func fetchPage(at cursor: Int, from server: CityServer) -> Promise<Page<String, Int>> {
            server.answer("p\(cursor)v").delay(.seconds(cursor == 1 ? 1 : 1_000)).map { text in
                Page([text], next: cursor + 1, previous: cursor - 1)
            }
        }
    }

    @Test(
        "while retries wait for the network, the limit does not run out; online it does", arguments: [5, 600])
    func offline(seconds: Int) {
        let online = System<Bool, Bool>(
            initialState: true, scheduler: server.scheduler, reducer: Reducer { $0 = $1 })
        let fetches = Fetches(from: server, on: server.scheduler, isOnline: online.settled)
        server.fail()
        let observer = server.observe(fetches.source(TriedKey()))
        server.scheduler.advance(by: .seconds(2))
        online.sendEvent(false)
        server.scheduler.advance(by: .seconds(seconds))
        #expect(observer.take() == ["…"] && server.log == ["try"])
        online.sendEvent(true)
        server.scheduler.advance(by: .seconds(2))
        #expect(observer.take() == [] && server.log == ["try", "try"])
        server.scheduler.advance(by: .seconds(10))
        #expect(observer.take() == ["failed 1"])
        observer.end()
    }

    @Test(
        "a page has the limit of its key, in both directions: a change is sent after it",
        arguments: [true, false])
    func page(isNext: Bool) throws {
        let fetches = server.fetches
        let observer = server.observe(fetches.source(SlowPagesKey())) { pages in
            let failure = isNext ? pages.next.failure : pages.previous.failure
            return pages.items.joined() + (failure.map { "!\($0.failedAttempts)" } ?? "")
        }
        server.scheduler.advance(by: .seconds(2))
        let key = SlowPagesKey()
        if isNext { fetches.fetchNextPage(of: key) } else { fetches.fetchPreviousPage(of: key) }
        let change = fetches.change(
            [ValueChange(SlowPagesKey(), optimistic: { $0.insert("x", at: 0) })],
            by: { [server] in server.answer("changed") })
        server.scheduler.advance(by: .seconds(10))
        #expect(server.log.last == "changed" && observer.take().last == "xp1v1!1")
        server.scheduler.advance(by: .seconds(1))
        #expect(try change.result?.get() == "changed1")
        observer.end()
    }
}
