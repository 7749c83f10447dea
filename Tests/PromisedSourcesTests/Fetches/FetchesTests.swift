import Promise
@testable import PromisedSources
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct FetchesTests {
    let server = CityServer()

    @Test("one request for all observers of a key, and one value")
    func shared() {
        let fetches = server.fetches
        let first = server.observe(fetches.source(CityKey(id: 3)))
        let second = server.observe(fetches.source(CityKey(id: 3), freshFor: .seconds(9)))
        #expect(server.log == ["city3v"])
        server.scheduler.advance(by: .seconds(1))
        #expect(first.take() == ["…", "city3v1"] && second.take() == ["…", "city3v1"])
        #expect(server.log == ["city3v"])
        first.end()
        second.end()
    }

    @Test("sources of one key are equal, and reading one starts nothing")
    func reading() {
        let fetches = server.fetches
        let source = fetches.source(CityKey(id: 3))
        #expect(source == fetches.source(CityKey(id: 3)) && source != fetches.source(CityKey(id: 4)))
        #expect(source.value == .fetching(.init()))
        server.scheduler.advance(by: .seconds(600))
        #expect(server.log == [])
    }

    @Test("a fresh value is shown without a request, a stale one while it is fetched again")
    func freshness() {
        let fetches = server.fetches
        let first = server.observe(fetches.source(CityKey(id: 3), freshFor: .seconds(60)))
        server.scheduler.advance(by: .seconds(1))
        #expect(first.take() == ["…", "city3v1"])
        server.scheduler.advance(by: .seconds(59))
        let fresh = server.observe(fetches.source(CityKey(id: 3), freshFor: .seconds(60)))
        #expect(fresh.take() == ["city3v1"] && first.take() == [])
        server.change()
        server.scheduler.advance(by: .seconds(1))
        let stale = server.observe(fetches.source(CityKey(id: 3), freshFor: .seconds(60)))
        server.scheduler.advance(by: .seconds(1))
        #expect(
            stale.take() == ["city3v1", "city3v1…", "city3v2"] && first.take() == ["city3v1…", "city3v2"])
        #expect(server.log == ["city3v", "city3v"])
        [first, fresh, stale].forEach { $0.end() }
    }

    @Test("a failure of refreshing stands beside the value; the action of the model refreshes and retries")
    func failures() {
        let source = server.fetches.source(CityKey(id: 3))
        server.fail()
        let observer = server.observe(source)
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["…", "failed 1"])
        source.value.failure?.retry?()
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["…", "failed 2"])
        server.fail(false)
        source.value.failure?.retry?()
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["…", "city3v1"])
        server.fail()
        let refresh = source.value.fetched?.refresh
        refresh?()
        server.scheduler.advance()
        #expect(source.value.fetched?.refresh == nil)
        refresh? { _ in false }
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["city3v1…", "city3v1!"])
        #expect(source.value.fetched?.refreshFailure?.failedAttempts == 1)
        server.fail(false)
        source.value.fetched?.refresh?()
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["city3v1…!", "city3v1"])
        #expect(server.log.count == 5)
        observer.end()
    }

    @Test("the request is cancelled with the last observer, and the value is kept for a while")
    func unused() {
        let fetches = server.fetches
        let first = server.observe(fetches.source(CityKey(id: 3)))
        let second = server.observe(fetches.source(CityKey(id: 3)))
        first.end()
        server.scheduler.advance()
        #expect(server.takeLog() == ["city3v"])
        second.end()
        server.scheduler.advance()
        #expect(server.takeLog() == ["no city3v"])

        let third = server.observe(fetches.source(CityKey(id: 3)))
        server.scheduler.advance(by: .seconds(1))
        third.end()
        server.scheduler.advance(by: .seconds(299))
        let fourth = server.observe(fetches.source(CityKey(id: 3), freshFor: .seconds(1000)))
        #expect(fourth.take() == ["city3v1"])
        fourth.end()
        server.scheduler.advance(by: .seconds(300))
        #expect(fetches.source(CityKey(id: 3)).value.fetching != nil)
        let fifth = server.observe(fetches.source(CityKey(id: 3), freshFor: .seconds(1000)))
        #expect(fifth.take() == ["…"] && server.log == ["city3v", "city3v"])
        fifth.end()
    }

    @Test("an entry is released when it is unused, and also one that was never observed")
    func released() {
        let fetches = server.fetches
        weak var entry = fetches.entry(CityKey(id: 3))
        #expect(entry == nil)
        let observer = server.observe(fetches.source(CityKey(id: 3)))
        entry = fetches.entry(CityKey(id: 3))
        #expect(entry != nil)
        server.scheduler.advance(by: .seconds(1))
        observer.end()
        server.scheduler.advance(by: .seconds(299))
        #expect(entry != nil)
        server.scheduler.advance(by: .seconds(1))
        #expect(entry == nil)
    }

    @Test("an observer outlives its fetches; without either, nothing is retained")
    func outlived() {
        let observer: Observer
        weak var entry: FetchEntry<CityKey>?
        do {
            let fetches = server.fetches
            observer = server.observe(fetches.source(CityKey(id: 3)))
            entry = fetches.entry(CityKey(id: 3))
        }
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["…", "city3v1"])
        observer.end()
        server.scheduler.advance()
        #expect(entry == nil)
    }

    @Test("a key that is invalidated is fetched at once where it is observed, else with the next observer")
    func invalidation() {
        let fetches = server.fetches
        let long = Duration.seconds(1000)
        let city = server.observe(fetches.source(CityKey(id: 3), freshFor: long))
        let mayor = server.observe(fetches.source(MayorKey(city: 3), freshFor: long))
        let other = server.observe(fetches.source(CityKey(id: 4), freshFor: long))
        server.scheduler.advance(by: .seconds(1))
        mayor.end()
        #expect(server.takeLog() == ["city3v", "mayor3v", "city4v"])
        fetches.invalidate(CityKey(id: 3))
        fetches.invalidate(CityKey(id: 9))
        server.scheduler.advance(by: .seconds(1))
        #expect(server.takeLog() == ["city3v"])
        fetches.invalidate(under: ["cities", "3"])
        server.scheduler.advance(by: .seconds(1))
        #expect(server.takeLog() == ["city3v"])
        fetches.invalidate(under: ["3"])
        server.scheduler.advance(by: .seconds(1))
        #expect(server.takeLog() == [])
        let again = server.observe(fetches.source(MayorKey(city: 3), freshFor: long))
        #expect(server.takeLog() == ["mayor3v"] && again.take() == ["mayor3v1", "mayor3v1…"])
        server.scheduler.advance(by: .seconds(1))
        fetches.invalidate(under: [])
        server.scheduler.advance()
        #expect(server.takeLog() == ["city3v", "mayor3v", "city4v"])
        [city, mayor, other, again].forEach { $0.end() }
    }

    @Test("invalidating during a fetch makes that fetch again: its answer may be too old")
    func invalidatedMeanwhile() {
        let fetches = server.fetches
        let city = server.observe(fetches.source(CityKey(id: 3)))
        server.scheduler.advance(by: .milliseconds(500))
        fetches.invalidate(CityKey(id: 3))
        server.scheduler.advance(by: .milliseconds(500))
        #expect(server.log == ["city3v", "no city3v", "city3v"] && city.take() == ["…"])
        server.scheduler.advance(by: .milliseconds(500))
        #expect(city.take() == ["city3v1"])
        city.end()
    }

    @Test("a value is fetched ahead, and discarded if no observer comes; so is a request that takes too long")
    func prefetch() {
        let fetches = server.fetches
        fetches.prefetch(CityKey(id: 3), freshFor: .seconds(60))
        server.scheduler.advance(by: .seconds(1))
        fetches.prefetch(CityKey(id: 3), freshFor: .seconds(60))
        let city = server.observe(fetches.source(CityKey(id: 3), freshFor: .seconds(60)))
        #expect(city.take() == ["city3v1"] && server.takeLog() == ["city3v"])
        city.end()
        server.scheduler.advance(by: .seconds(300))
        #expect(fetches.source(CityKey(id: 3)).value.fetched == nil)

        let hasty = Fetches(from: server, on: server.scheduler, keepingUnused: .milliseconds(500))
        hasty.prefetch(CityKey(id: 4))
        server.scheduler.advance(by: .milliseconds(500))
        #expect(server.takeLog() == ["city4v", "no city4v"])
    }

    @Test("what is observed and stale is fetched again on a signal")
    func refreshStale() {
        let fetches = server.fetches
        let short = server.observe(fetches.source(CityKey(id: 3), freshFor: .seconds(10)))
        let long = server.observe(fetches.source(CityKey(id: 4), freshFor: .seconds(100)))
        // Of several observers, the one that wants the freshest value counts.
        let patient = server.observe(fetches.source(CityKey(id: 3), freshFor: .seconds(1_000)))
        let gone = server.observe(fetches.source(CityKey(id: 5)))
        server.scheduler.advance(by: .seconds(1))
        gone.end()
        #expect(server.takeLog() == ["city3v", "city4v", "city5v"])
        server.scheduler.advance(by: .seconds(10))
        fetches.refreshStale()
        server.scheduler.advance()
        #expect(server.takeLog() == ["city3v"])
        [short, long, patient].forEach { $0.end() }
    }

    @Test("interim values of a request are no answers, and retries are the promise's")
    func promises() {
        struct SlowKey: FetchKey {
            func fetch(from server: CityServer) -> Promise<String> {
                Promise.retry(attempts: 3, backoff: .constant(.seconds(2))) {
                    server.answer("try").interim("almost")
                }
            }
        }
        server.fail()
        let observer = server.observe(server.fetches.source(SlowKey()))
        server.scheduler.advance(by: .seconds(4))
        server.fail(false)
        server.scheduler.advance(by: .seconds(3))
        #expect(observer.take() == ["…", "try1"] && server.log == ["try", "try", "try"])
        observer.end()
    }

    @Test("observers that come and go on many threads: one request at a time, and none at last", .oneAtATime)
    func threads() async {
        let running = Threadsafe(wrappedValue: (now: 0, most: 0))
        struct Key: FetchKey {
            static let scheduler = QueueScheduler.serial("fetches")
            func fetch(from running: Threadsafe<(now: Int, most: Int)>) -> Promise<Int> {
                Promise { resolver in
                    running.wrappedValue.now += 1
                    running.wrappedValue.most = max(running.wrappedValue.most, running.wrappedValue.now)
                    resolver.onCancel { running.wrappedValue.now -= 1 }
                    Self.scheduler.schedule {
                        if resolver.fulfill(1) { running.wrappedValue.now -= 1 }
                    }
                }
            }
        }
        let scheduler = Key.scheduler
        let fetches = Fetches(from: running, on: scheduler)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<500 {
                        let token = fetches.source(Key()).subscribe { _ in }
                        fetches.invalidate(Key())
                        token.cancel()
                    }
                }
            }
        }
        let (isDone, done) = Promise<Void>.pending()
        scheduler.schedule { scheduler.schedule { done.fulfill(()) } }
        _ = try? await isDone.value
        #expect(running.wrappedValue.most == 1 && running.wrappedValue.now == 0)
        #expect(fetches.entry(Key()).system.state.observers == [])
    }

    @Test(
        "a value that is set is shown as if it had been fetched then: also while a fetch or a change is running"
    )
    func provided() {
        let fetches = server.fetches
        let key = CityKey(id: 3)
        fetches.set("known", for: key)
        server.scheduler.advance()
        let observer = server.observe(fetches.source(key, freshFor: .seconds(60)))
        #expect(observer.take() == ["known"] && server.takeLog() == [])
        server.scheduler.advance(by: .seconds(30))
        fetches.invalidate(key)
        server.scheduler.advance()
        fetches.set("newer", for: key)
        server.scheduler.advance(by: .seconds(5))
        #expect(observer.take() == ["known…", "newer"])
        #expect(server.takeLog() == ["city3v", "no city3v"])

        fetches.change(key, optimistic: { $0 += "+" }) { server.answer("changed") }
        server.scheduler.advance()
        fetches.set("newest", for: key)
        server.scheduler.advance()
        #expect(observer.take() == ["newer+", "newest+"])
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["changed1"])
        observer.end()
        // It is discarded like any other.
        server.scheduler.advance(by: .seconds(300))
        #expect(fetches.source(key).value.fetched == nil)
    }
}
