import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

@Suite(.tags(.sharedState)) struct AwaitingTests {
    let server = CityServer()
    let key = CityKey(id: 3)

    private func fetch(_ fetches: Fetches<CityServer>, freshFor: Duration = .zero) -> Promise<String> {
        fetches.fetch(key, freshFor: freshFor).start()
    }

    @Test("a fetch is awaited: it is made unless the value is fresh, and once for all who wait")
    func values() throws {
        let fetches = server.fetches
        let (one, two) = (fetch(fetches), fetch(fetches))
        server.scheduler.advance(by: .seconds(1))
        #expect(try one.result?.get() == "city3v1" && two.result?.get() == "city3v1")
        #expect(server.takeLog() == ["city3v"])
        let fresh = fetch(fetches, freshFor: .seconds(10))
        server.scheduler.advance()
        #expect(try fresh.result?.get() == "city3v1" && server.takeLog() == [])
        server.change()
        let again = fetch(fetches)
        server.scheduler.advance()
        #expect(again.result == nil)
        server.scheduler.advance(by: .seconds(1))
        #expect(try again.result?.get() == "city3v2")
        #expect(fetches.entry(key).system.state.observers == [])
        server.scheduler.advance(by: .seconds(300))
        #expect(fetches.source(key).value.fetched == nil)
    }

    @Test("a fetch that fails rejects, with a value there and without one", arguments: [false, true])
    func failure(hasValue: Bool) {
        let fetches = server.fetches
        if hasValue { fetches.set("known", for: key) }
        server.fail()
        let promise = fetch(fetches)
        server.scheduler.advance(by: .seconds(1))
        #expect(throws: Offline.self) { try promise.result?.get() }
        // The next one asks again, whatever the age of the failure.
        server.fail(false)
        let next = fetch(fetches)
        server.scheduler.advance(by: .seconds(1))
        #expect((try? next.result?.get()) == "city3v1")
    }

    @Test("offline it is the value that is there, or it waits", arguments: [false, true])
    func offline(hasValue: Bool) {
        let online = System<Bool, Bool>(
            initialState: false, scheduler: server.scheduler, reducer: Reducer { $0 = $1 })
        let fetches = Fetches(from: server, on: server.scheduler, isOnline: online.settled)
        if hasValue { fetches.set("known", for: key) }
        let promise = fetch(fetches)
        server.scheduler.advance(by: .seconds(10))
        #expect((try? promise.result?.get()) == (hasValue ? "known" : nil))
        online.sendEvent(true)
        server.scheduler.advance(by: .seconds(1))
        #expect((try? promise.result?.get()) == (hasValue ? "known" : "city3v1"))
    }

    @Test("one that is given up does not end the fetch, and one that is cancelled is rejected")
    func cancelled() {
        let fetches = server.fetches
        let promise = fetch(fetches)
        server.scheduler.advance(by: .milliseconds(500))
        promise.cancel()
        server.scheduler.advance(by: .milliseconds(500))
        #expect(server.log == ["city3v"] && fetches.source(key).value.fetched?.value == "city3v1")
        fetches.remove(key)
        let other = fetch(fetches)
        server.scheduler.advance(by: .milliseconds(500))
        fetches.cancel(key)
        server.scheduler.advance()
        #expect(throws: CancellationError.self) { try other.result?.get() }
    }

    @Test("inside of a delivery, it waits for the next value, not for the one that is delivered")
    func nested() {
        let fetches = server.fetches
        let nested = Lock<Promise<String>?>(nil)
        let token = fetches.source(key, freshFor: .seconds(60)).subscribe { [server] model in
            guard model.fetched?.isRefreshing == false, nested.withLock({ $0 == nil }) else { return }
            server.change()
            nested.exchange(for: fetches.fetch(CityKey(id: 3)).start())
        }
        server.scheduler.advance(by: .seconds(2))
        #expect((try? nested.withLock { $0 }?.result?.get()) == "city3v2")
        token.cancel()
    }

    @Test("it is awaited where that is possible")
    func awaited() async throws {
        let fetches = Fetches(from: server, on: QueueScheduler.serial("awaited"))
        fetches.set("known", for: key)
        #expect(try await fetches.fetch(key, freshFor: .seconds(60)) == "known")
    }
}
