import Promise
import PromisedSources
import PromisedTesting
import Testing

@Suite struct PollingTests {
    let server = CityServer()

    struct PolledKey: FetchKey {
        var options: FetchOptions { FetchOptions(pollingEvery: .seconds(10)) }
        func fetch(from server: CityServer) -> Promise<String> { server.answer("poll") }
    }

    @Test("observers that come and go beside another one do not put the next fetch off")
    func othersComeAndGo() {
        let fetches = server.fetches
        let source = fetches.source(PolledKey(), freshFor: .seconds(1_000))
        let stays = server.observe(source)
        server.scheduler.advance(by: .seconds(1))
        _ = server.takeLog()
        for _ in 1...11 {
            let other = server.observe(source)
            server.scheduler.advance(by: .seconds(2))
            other.end()
        }
        // The period begins with an answer, which takes a second.
        #expect(server.takeLog() == ["poll", "poll"])
        stays.end()
        server.scheduler.advance(by: .seconds(100))
        #expect(server.takeLog() == [])
    }
}
