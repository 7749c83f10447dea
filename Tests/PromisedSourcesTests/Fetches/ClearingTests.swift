import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

@Suite struct ClearingTests {
    let server = CityServer()

    enum Reach: CaseIterable, Sendable { case key, path, all }

    private func reach(
        _ reach: Reach, _ byKey: (CityKey) -> Void, _ byPath: ([String]) -> Void
    ) {
        switch reach {
        case .key: byKey(CityKey(id: 3))
        case .path: byPath(["cities", "3"])
        case .all: byPath([])
        }
        server.scheduler.advance()
    }

    @Test(
        "cancel ends the fetch: the value stays, and without one there is a failure to retry",
        arguments: Reach.allCases)
    func cancel(to reach: Reach) {
        let fetches = server.fetches
        let source = fetches.source(CityKey(id: 3))
        let observer = server.observe(source)
        let other = server.observe(fetches.source(CityKey(id: 4)))
        self.reach(reach, { fetches.cancel($0) }, { fetches.cancel(under: $0) })
        #expect(observer.take() == ["…", "failed 0"] || observer.take() == [])
        #expect(source.value.failure?.error is CancellationError)
        #expect(server.takeLog().contains("no city3v"))
        source.value.failure?.retry?()
        server.scheduler.advance(by: .seconds(1))
        #expect(source.value.fetched?.value == "city3v1")
        #expect((other.take().last == "city4v1") == (reach != .all))
        fetches.invalidate(CityKey(id: 3))
        self.reach(reach, { fetches.cancel($0) }, { fetches.cancel(under: $0) })
        #expect(observer.take().suffix(2) == ["city3v1…", "city3v1"])
        [observer, other].forEach { $0.end() }
    }

    @Test("cancel ends the fetch of a page and a prefetch, and lets changes go on")
    func cancelled() throws {
        let fetches = server.fetches
        let pages = server.observe(fetches.source(PageKey()))
        server.scheduler.advance(by: .seconds(1))
        fetches.fetchNextPage(of: PageKey())
        fetches.prefetch(CityKey(id: 3))
        let liked = fetches.change(CityKey(id: 4), by: { [server] in server.answer("liked") })
        server.scheduler.advance()
        fetches.cancel(under: [])
        server.scheduler.advance(by: .seconds(1))
        #expect(server.log.filter { $0.hasPrefix("no") }.sorted() == ["no city3v", "no p3v"])
        #expect(try liked.result?.get() == "liked1")
        #expect(fetches.source(PageKey()).value.fetched?.next.isFetching == false)
        pages.end()
    }

    @Test(
        "remove forgets the value: an observer sees a first fetch, the next one none",
        arguments: Reach.allCases)
    func remove(to reach: Reach) {
        let fetches = server.fetches
        let observer = server.observe(fetches.source(CityKey(id: 3), freshFor: .seconds(60)))
        let unobserved = server.observe(fetches.source(MayorKey(city: 3), freshFor: .seconds(60)))
        server.scheduler.advance(by: .seconds(1))
        unobserved.end()
        server.scheduler.advance()
        _ = (observer.take(), server.takeLog())
        self.reach(reach, { fetches.remove($0) }, { fetches.remove(under: $0) })
        #expect(observer.take() == ["…"] && server.takeLog() == ["city3v"])
        let mayor = server.observe(fetches.source(MayorKey(city: 3), freshFor: .seconds(60)))
        #expect(mayor.take() == (reach == .key ? ["mayor3v1"] : ["…"]))
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["city3v1"])
        [observer, mayor].forEach { $0.end() }
    }

    @Test("an entry that is removed is released")
    func released() {
        let fetches = server.fetches
        fetches.set("known", for: CityKey(id: 3))
        server.scheduler.advance()
        weak let entry = fetches.entry(CityKey(id: 3))
        #expect(entry != nil)
        fetches.remove(CityKey(id: 3))
        server.scheduler.advance()
        #expect(entry == nil)
    }

    @Test(
        "remove lets changes go on, and clear rejects them: none is sent any more", arguments: [false, true])
    func changes(clears: Bool) throws {
        let fetches = server.fetches
        let key = CityKey(id: 3)
        let observer = server.observe(fetches.source(key))
        server.scheduler.advance(by: .seconds(1))
        let first = fetches.change(key, optimistic: { $0 += "+a" }) { [server] in server.answer("a") }
        let second = fetches.change(key, optimistic: { $0 += "+b" }) { [server] in server.answer("b") }
        server.scheduler.advance(by: .milliseconds(500))
        #expect(observer.take().last == "city3v1+a+b" && server.takeLog() == ["city3v", "a"])
        if clears { fetches.clear(key) } else { fetches.remove(key) }
        server.scheduler.advance(by: .seconds(5))
        #expect(server.takeLog() == (clears ? ["no a", "city3v"] : ["b", "city3v"]))
        #expect(observer.take() == (clears ? ["…", "city3v1"] : ["…", "a1+b…", "b1…", "city3v1"]))
        for answer in [first, second] {
            if clears {
                #expect(throws: CancellationError.self) { try answer.result?.get() }
            } else {
                #expect(throws: Never.self) { try answer.result?.get() }
            }
        }
        observer.end()
    }

    @Test("the next user never sees a value of the last one, nor that of a key that was followed")
    func nextUser() {
        let fetches = server.fetches
        let source = fetches.source(following: Source.constant(CityKey(id: 3)))
        let observer = server.observe(source.map(\.model))
        fetches.prefetch(MayorKey(city: 3))
        server.scheduler.advance(by: .seconds(1))
        server.change()
        _ = observer.take()
        fetches.clear()
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["…", "city3v2"])
        let mayor = server.observe(fetches.source(MayorKey(city: 3), freshFor: .seconds(60)))
        #expect(mayor.take() == ["…"])
        [observer, mayor].forEach { $0.end() }
    }
}
