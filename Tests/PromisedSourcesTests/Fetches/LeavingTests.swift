import Observation
import Promise
import PromisedSources
import PromisedTesting
import TestSupport
import Testing

/// Observers that come and go, and what that does to requests.
@Suite struct LeavingTests {
    let server = CityServer()
    let key = CityKey(id: 3)

    /// A body that reads the source in each frame of 16 ms, under observation, as a screen does.
    private func read(
        _ source: Source<Fetchable<String>>, frames: Int, _ seen: Seen<String>
    ) {
        for _ in 0..<frames {
            withObservationTracking {
                seen.add(describe(source.value) { $0 })
            } onChange: {
            }
            server.scheduler.advance(by: .milliseconds(16))
        }
    }

    @Test(
        "a body that reads under observation is one observer: one request, whatever its answer",
        arguments: [false, true])
    func observation(isFailing: Bool) {
        let seen = Seen<String>()
        server.fail(isFailing)
        let source = server.fetches.source(key)
        read(source, frames: 200, seen)
        #expect(server.log == ["city3v"])
        #expect(seen.values.last == (isFailing ? "failed 1" : "city3v1"))
    }

    @Test("a body that reads under observation does not end a refresh or a page by what these show")
    func observedRefresh() {
        let seen = Seen<String>()
        let fetches = server.fetches
        let source = fetches.source(key)
        read(source, frames: 100, seen)
        server.change()
        source.value.fetched?.refresh?()
        read(source, frames: 100, seen)
        #expect(server.log == ["city3v", "city3v"] && seen.values.last == "city3v2")
        // It leaves, when it has not read for a while.
        source.value.fetched?.refresh?()
        server.scheduler.advance(by: .milliseconds(16))
        #expect(server.log.last == "city3v")
        server.scheduler.advance(by: .seconds(1))
        #expect(server.log.last == "city3v" && source.value.fetched?.value == "city3v2")
        fetches.invalidate(key)
        server.scheduler.advance(by: .seconds(2))
        #expect(server.log.count == 3)
    }

    @Test(
        "an observer that comes back in the same turn is the same: its request goes on, and no other is made")
    func sameTurn() {
        let fetches = server.fetches
        var observer = server.observe(fetches.source(key))
        observer.end()
        observer = server.observe(fetches.source(key))
        #expect(server.log == ["city3v"])
        server.scheduler.advance(by: .seconds(1))
        observer.end()
        observer = server.observe(fetches.source(key))
        #expect(server.log == ["city3v"])
        observer.end()
        server.scheduler.advance()
        observer = server.observe(fetches.source(key))
        #expect(server.log == ["city3v", "city3v"])
        observer.end()
        // Another freshness is another observer.
        observer = server.observe(fetches.source(key, freshFor: .milliseconds(1)))
        server.scheduler.advance(by: .seconds(1))
        observer.end()
        observer = server.observe(fetches.source(key))
        #expect(server.log.filter { $0 == "city3v" }.count == 3)
        observer.end()
    }

    @Test("a failure has an age, too: an observer that comes within it asks for nothing")
    func failureAge() {
        let fetches = server.fetches
        server.fail()
        let first = server.observe(fetches.source(key, freshFor: .seconds(10)))
        server.scheduler.advance(by: .seconds(1))
        first.end()
        server.scheduler.advance(by: .seconds(9))
        let second = server.observe(fetches.source(key, freshFor: .seconds(10)))
        #expect(second.take() == ["failed 1"] && server.log.count == 1)
        server.scheduler.advance(by: .seconds(1))
        let third = server.observe(fetches.source(key, freshFor: .seconds(10)))
        #expect(server.log.count == 2)
        server.scheduler.advance(by: .seconds(1))
        // What the user asks for, and an invalidation, do not look at it.
        fetches.source(key).value.failure?.retry?()
        server.scheduler.advance(by: .seconds(1))
        fetches.invalidate(key)
        server.scheduler.advance(by: .seconds(1))
        #expect(server.log.count == 4)
        [second, third].forEach { $0.end() }
    }

    // MARK: Requests

    @Test("an observer that passes by does not cancel a prefetch")
    func passing() {
        let fetches = server.fetches
        fetches.prefetch(key)
        server.scheduler.advance(by: .milliseconds(500))
        let observer = server.observe(fetches.source(key))
        observer.end()
        server.scheduler.advance(by: .milliseconds(500))
        #expect(server.log == ["city3v"])
        #expect(fetches.source(key).value.fetched?.value == "city3v1")
        // The next fetch is for its observer alone.
        let other = server.observe(fetches.source(key))
        other.end()
        server.scheduler.advance()
        #expect(server.log == ["city3v", "city3v", "no city3v"])
    }

    struct TriedKey: FetchKey {
        func fetch(from server: CityServer) -> Promise<String> {
            Promise.retry(attempts: 3, backoff: .constant(.seconds(2))) { server.answer("try") }
        }
    }

    @Test("retries wait while the device is offline, and use no attempt up")
    func offlineRetries() {
        let online = System<Bool, Bool>(
            initialState: true, scheduler: server.scheduler, reducer: Reducer { $0 = $1 })
        let fetches = Fetches(from: server, on: server.scheduler, isOnline: online.settled)
        server.fail()
        let observer = server.observe(fetches.source(TriedKey()))
        online.sendEvent(false)
        server.scheduler.advance(by: .seconds(50))
        #expect(server.log == ["try"] && observer.take() == ["…"])
        server.fail(false)
        online.sendEvent(true)
        server.scheduler.advance(by: .seconds(1))
        #expect(server.log == ["try", "try"] && observer.take() == ["try1"])
        // Going away meanwhile cancels what is held back.
        server.fail()
        fetches.invalidate(TriedKey())
        server.scheduler.advance(by: .milliseconds(500))
        online.sendEvent(false)
        server.scheduler.advance(by: .seconds(10))
        observer.end()
        server.scheduler.advance()
        online.sendEvent(true)
        server.scheduler.advance(by: .seconds(10))
        #expect(server.log == ["try", "try", "try"])
    }

    struct LimitedKey: FetchKey {
        var limit: Duration?
        var options: FetchOptions { FetchOptions(timeLimit: limit) }
        func fetch(from server: CityServer) -> Promise<String> {
            server.answer("slow").delay(.seconds(1_000))
        }
    }

    struct HangingKey: FetchKey {
        func fetch(from server: CityServer) -> Promise<String> {
            server.answer("slow").delay(.seconds(1_000))
        }
    }

    @Test("a request that hangs has a time limit, a minute by default: a change is sent after it")
    func limit() {
        let fetches = server.fetches
        let observer = server.observe(fetches.source(HangingKey()))
        fetches.change(HangingKey(), by: { [server] in server.answer("liked") }, applying: { $0 += $1 })
        server.scheduler.advance(by: .seconds(59))
        #expect(server.log == ["slow"])
        server.scheduler.advance(by: .seconds(1))
        #expect(server.log == ["slow", "liked"])
        observer.end()

        let own = server.observe(fetches.source(LimitedKey(limit: .seconds(5))))
        let none = server.observe(fetches.source(LimitedKey(limit: nil)))
        server.scheduler.advance(by: .seconds(5))
        #expect(own.take() == ["…", "failed 1"])
        server.scheduler.advance(by: .seconds(1_000))
        #expect(none.take() == ["…", "slow1"])
        [own, none].forEach { $0.end() }
    }
}
