import Promise
import PromisedSources
import PromisedTesting
import Testing

@Suite struct RetryingTests {
    let scheduler = TestScheduler()
    let server = FakeServer<Int>()

    private func retrying(
        _ strategy: RetryStrategy, _ forwarding: ForwardErrorAfter
    ) -> Source<Fetchable<Int>> {
        .fetching(on: scheduler) { [server] in server.get() }
            .retrying(strategy, forwardErrorAfter: forwarding, on: scheduler)
    }

    @Test("SA-48: at most 3 retries, the failure is shown after the 2nd, and retrying goes on to the 3rd")
    func maximum() {
        let source = retrying(.interval(.seconds(1), maximum: 3), .attempts(2))
        #expect(server.requests.wrappedValue == 0)
        let (seen, token) = texts(source)
        scheduler.advance()
        server.fail(on: scheduler)
        for retry in 1...3 {
            scheduler.advance(by: .milliseconds(999))
            #expect(server.requests.wrappedValue == retry)
            scheduler.advance(by: .milliseconds(1))
            #expect(server.requests.wrappedValue == retry + 1)
            server.fail(on: scheduler)
            #expect((source.value.failure != nil) == (retry >= 2))
        }
        scheduler.advance(by: .seconds(60))
        #expect(server.requests.wrappedValue == 4)
        #expect(seen.values == ["…", "refused !3", "…", "refused !4"])
        source.value.failure?.retry?()
        scheduler.advance()
        server.answer(7, on: scheduler)
        #expect(source.value.text == "7")
        token.cancel()
    }

    @Test(
        "SA-48: doubling delays, which begin from the start after a success; the failure of a refresh is hidden too"
    )
    func backoff() {
        let source = retrying(.backoff(from: .seconds(1), upTo: .seconds(4)), .never)
        let (seen, token) = texts(source)
        scheduler.advance()
        func failing(after delays: [Int]) {
            for delay in delays {
                let requests = server.requests.wrappedValue
                server.fail(on: scheduler)
                scheduler.advance(by: .milliseconds(delay * 1_000 - 1))
                #expect(server.requests.wrappedValue == requests)
                scheduler.advance(by: .milliseconds(1))
                #expect(server.requests.wrappedValue == requests + 1)
            }
        }
        failing(after: [1, 2, 4, 4])
        server.answer(1, on: scheduler)
        #expect(seen.values == ["…", "1"])
        source.value.load()
        scheduler.advance()
        failing(after: [1, 2])
        server.answer(2, on: scheduler)
        #expect(seen.values == ["…", "1", "1+", "2"])
        token.cancel()
    }

    @Test("SA-48: a failure is shown after a time, again after a success, and retrying goes on")
    func time() {
        let source = retrying(.interval(.seconds(2)), .time(.seconds(5)))
        let (seen, token) = texts(source)
        scheduler.advance()
        for _ in 1...2 {
            server.fail(on: scheduler)
            scheduler.advance(by: .seconds(2))
            server.fail(on: scheduler)
            scheduler.advance(by: .seconds(2))
            server.fail(on: scheduler)
            #expect(source.value.failure == nil && source.value.fetched?.refreshFailure == nil)
            scheduler.advance(by: .milliseconds(1_500))
            #expect(source.value.failure != nil || source.value.fetched?.refreshFailure != nil)
            scheduler.advance(by: .milliseconds(500))
            server.answer(1, on: scheduler)
            source.value.load()
            scheduler.advance()
        }
        #expect(
            seen.values == [
                "…", "refused !3", "…", "1", "1+", "1 refused !3", "1+ refused !3", "1", "1+",
            ])
        token.cancel()
    }

    @Test("SA-48: shown at once, and nothing is retried after the release")
    func released() {
        var source: Source? = retrying(.interval(.seconds(1)), .immediately)
        let seen = Seen<String>()
        let token = source?.subscribe { seen.add($0.text) }
        scheduler.advance()
        server.fail(on: scheduler)
        scheduler.advance(by: .seconds(1))
        #expect(seen.values == ["…", "refused !1", "…"])
        source = nil
        scheduler.advance(by: .seconds(10))
        #expect(server.cancelled.wrappedValue == 1 && server.requests.wrappedValue == 2)
        #expect(seen.values.count == 3)
        withExtendedLifetime(token) {}
    }

    @Test("SA-48: a retry by hand takes the place of the one that is waited for")
    func byHand() {
        let source = retrying(.interval(.seconds(10), maximum: 1), .immediately)
        _ = source.value
        scheduler.advance()
        server.fail(on: scheduler)
        scheduler.advance(by: .seconds(5))
        source.value.failure?.retry?()
        scheduler.advance(by: .seconds(20))
        #expect(server.requests.wrappedValue == 2)
        server.fail(on: scheduler)
        scheduler.advance(by: .seconds(20))
        #expect(server.requests.wrappedValue == 2 && source.value.text == "refused !2")
    }
}
