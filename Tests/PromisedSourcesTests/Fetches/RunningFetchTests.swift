import Promise
import PromisedSources
import PromisedSystem
import PromisedTesting
import Testing

/// What fetches list as running and pending.
@Suite struct RunningFetchTests {
    private struct PolledKey: FetchKey {
        var options: FetchOptions { FetchOptions(pollingEvery: .seconds(60)) }
        func fetch(from server: CityServer) -> Promise<String> { server.answer("polled") }
    }

    private let server = CityServer()

    /// The lines without the places.
    private func lines(_ fetches: Fetches<some Sendable>) -> [String] {
        fetches.running.map { "\($0)".replacing(#/ at [^,]*/#, with: "") }
    }

    @Test("A fetch is listed with its key and its age, and the timer of a value that is not used")
    func fetch() {
        let fetches = server.fetches
        #expect(fetches.running.isEmpty)
        fetches.prefetch(CityKey(id: 3))
        server.scheduler.advance(by: .milliseconds(500))
        #expect(
            lines(fetches) == [
                "effect fetch CityKey(id: 3), for 0.5 seconds",
                "timer unused CityKey(id: 3), for 0.5 seconds",
            ])
        #expect(fetches.running.map(\.key) == [EffectKey(CityKey(id: 3)), EffectKey(CityKey(id: 3))])
        server.scheduler.advance(by: .milliseconds(500))
        #expect(lines(fetches) == ["timer unused CityKey(id: 3), for 0.0 seconds"])
        server.scheduler.advance(by: .seconds(300))
        #expect(fetches.running.isEmpty)
    }

    @Test(
        "Changes are listed with their places: the one that is sent, those behind it, and a fetch that waits")
    func changes() {
        let fetches = server.fetches
        let observer = server.observe(fetches.source(CityKey(id: 3)))
        server.scheduler.advance(by: .seconds(1))
        let line = #line + 1
        fetches.change(CityKey(id: 3), optimistic: { $0 += "a" }) { server.answer("a") }
        fetches.change(CityKey(id: 3), optimistic: { $0 += "b" }) { server.answer("b") }
        fetches.invalidate(CityKey(id: 3))
        server.scheduler.advance(by: .milliseconds(500))
        #expect(
            lines(fetches) == [
                "effect change CityKey(id: 3), for 0.5 seconds", "pending effect change CityKey(id: 3)",
                "pending effect fetch CityKey(id: 3)",
            ])
        #expect(fetches.running.map(\.origin.line) == [line, line + 1, 0])
        server.scheduler.advance(by: .milliseconds(2_500))
        #expect(fetches.running.isEmpty)
        observer.end()
    }

    @Test("A fetch that waits for the network is pending") func offline() {
        let fetches = Fetches(from: server, on: server.scheduler, isOnline: .constant(false))
        let observer = server.observe(fetches.source(CityKey(id: 3)))
        server.scheduler.advance()
        #expect(lines(fetches) == ["pending effect fetch CityKey(id: 3)"])
        observer.end()
    }

    @Test("The next fetch of a value that is polled is a timer") func polling() {
        let fetches = server.fetches
        let observer = server.observe(fetches.source(PolledKey()))
        server.scheduler.advance(by: .seconds(3))
        #expect(lines(fetches) == ["timer polling PolledKey(), for 2.0 seconds"])
        observer.end()
    }

    @Test("Entries are listed in the order of their first use, and calls of their requests follow")
    func calls() {
        let find = Endpoint("find") { (id: Int) in Promise.value("\(id)").delay(.seconds(1)) }
        struct FoundKey: FetchKey {
            let id: Int
            func fetch(from find: Endpoint<Int, String>) -> Promise<String> { find(id) }
        }
        let fetches = Fetches(from: find, on: server.scheduler)
        let tokens = [2, 1].map { id in fetches.source(FoundKey(id: id)).subscribe { _ in } }
        server.scheduler.advance(by: .milliseconds(500))
        #expect(
            lines(fetches) == [
                "effect fetch FoundKey(id: 2), for 0.5 seconds",
                "effect fetch FoundKey(id: 1), for 0.5 seconds",
                "call find, for 0.5 seconds", "call find, for 0.5 seconds",
            ])
        server.scheduler.advance(by: .milliseconds(500))
        #expect(fetches.running.isEmpty)
        for token in tokens { token.cancel() }
    }

    @Test("Before the scheduler has run what was sent, an entry is busy") func busy() {
        let fetches = server.fetches
        fetches.prefetch(CityKey(id: 3))
        #expect(lines(fetches) == ["busy CityKey(id: 3)"])
        server.scheduler.advance()
        #expect(fetches.running.map(\.kind) == [.effect, .timer])
    }
}
