import Promise
import PromisedSources
import PromisedTesting
import Testing

@Suite struct TimedOperatorTests {
    let scheduler = TestScheduler()

    @Test("SA-49: every 10 s: 2 refreshes in 25 s, and none after the release")
    func polling() {
        let count = Threadsafe(wrappedValue: 0)
        var source: Source? = Source<Fetchable<Int>>.fetching(on: scheduler) {
            count.wrappedValue += 1
            return Promise.value(count.wrappedValue)
        }.refreshing(every: .seconds(10), on: scheduler)
        #expect(count.wrappedValue == 0)
        _ = source?.value
        scheduler.advance(by: .seconds(25))
        #expect(count.wrappedValue == 3 && source?.value.text == "3")
        source = nil
        scheduler.advance(by: .seconds(100))
        #expect(count.wrappedValue == 3)
    }

    @Test(
        "SA-49: the period begins with the answer, goes on after a failed refresh, and waits for the first value"
    )
    func period() {
        let server = FakeServer<Int>()
        let source = Source<Fetchable<Int>>.fetching(on: scheduler) { server.get() }
            .refreshing(every: .seconds(10), on: scheduler)
        _ = source.value
        scheduler.advance(by: .seconds(30))
        server.fail(on: scheduler)
        scheduler.advance(by: .seconds(30))
        #expect(server.requests.wrappedValue == 1)
        source.value.failure?.retry?()
        scheduler.advance()
        server.answer(1, on: scheduler)
        scheduler.advance(by: .seconds(10))
        #expect(server.requests.wrappedValue == 3 && source.value.text == "1+")
        // It takes 7 s, and the next period begins after that.
        scheduler.advance(by: .seconds(7))
        server.fail(on: scheduler)
        scheduler.advance(by: .seconds(9))
        #expect(server.requests.wrappedValue == 3 && source.value.text == "1 refused !1")
        scheduler.advance(by: .seconds(1))
        #expect(server.requests.wrappedValue == 4)
    }

    @Test("SA-50: nothing is touched for 5 s, and never after an early release")
    func delayed() {
        let server = FakeServer<Int>()
        let fetched = Source<Fetchable<Int>>.fetching(on: scheduler) { server.get() }
        let source = fetched.fetchAfterDelay(of: .seconds(5), on: scheduler)
        let (seen, token) = texts(source)
        scheduler.advance(by: .seconds(4))
        #expect(server.requests.wrappedValue == 0)
        scheduler.advance(by: .seconds(1))
        #expect(server.requests.wrappedValue == 1)
        server.answer(3, on: scheduler)
        source.value.load()
        scheduler.advance()
        server.answer(4, on: scheduler)
        #expect(seen.values == ["…", "3", "3+", "4"])
        token.cancel()

        var early: Source? = fetched.fetchAfterDelay(of: .seconds(5), on: scheduler)
        _ = early?.value
        scheduler.advance(by: .seconds(4))
        early = nil
        scheduler.advance(by: .seconds(9))
        #expect(scheduler.pendingCount == 0 && server.requests.wrappedValue == 2)
    }
}
