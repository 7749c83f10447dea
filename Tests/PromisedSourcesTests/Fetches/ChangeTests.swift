import Promise
import PromisedSources
import PromisedTesting
import TestSupport
import Testing

@Suite struct ChangeTests {
    let server = CityServer()
    let key = CityKey(id: 3)

    /// An observer of the key, with the value there.
    private func observed(_ fetches: Fetches<CityServer>) -> Observer {
        let observer = server.observe(fetches.source(key))
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["…", "city3v1"] && server.takeLog() == ["city3v"])
        return observer
    }

    @Test("a guess is shown at once, and replaced by the answer")
    func success() throws {
        let fetches = server.fetches
        let observer = observed(fetches)
        let answer = fetches.change(key, optimistic: { $0 += "+like" }) { fetches.client.answer("liked") }
        server.scheduler.advance()
        #expect(observer.take() == ["city3v1+like"] && answer.result == nil)
        server.scheduler.advance(by: .seconds(1))
        #expect(try observer.take() == ["liked1"] && answer.result?.get() == "liked1")
        observer.end()
    }

    @Test("a guess is taken back if the request fails")
    func failure() throws {
        let fetches = server.fetches
        let observer = observed(fetches)
        server.fail()
        let seen = Seen<String>()
        fetches.change(key, optimistic: { $0 += "+like" }) { server.answer("liked") }
            .catch { seen.add("\($0), \(fetches.source(key).value.fetched?.value ?? "")") }
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["city3v1+like", "city3v1"] && seen.values == ["Offline(), city3v1"])
        observer.end()
    }

    @Test("two changes: sent one after the other, and no answer overwrites a newer guess")
    func two() throws {
        let fetches = server.fetches
        let observer = observed(fetches)
        fetches.change(key, optimistic: { $0 += "+a" }) { server.answer("a") }
        server.scheduler.advance(by: .milliseconds(500))
        let second = fetches.change(key, optimistic: { $0 += "+b" }) { server.answer("b") }
        server.scheduler.advance(by: .milliseconds(500))
        #expect(observer.take() == ["city3v1+a", "city3v1+a+b", "a1+b"] && server.log == ["a", "b"])
        server.fail()
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["a1"])
        #expect(throws: Offline.self) { try second.result?.get() }
        observer.end()
    }

    @Test("a change waits for a fetch, and a fetch for a change: neither answer hides the guess")
    func queued() throws {
        let fetches = server.fetches
        let observer = observed(fetches)
        fetches.invalidate(key)
        server.scheduler.advance(by: .milliseconds(500))
        fetches.change(key, optimistic: { $0 += "+a" }) { server.answer("a") }
        server.scheduler.advance()
        #expect(server.takeLog() == ["city3v"] && observer.take() == ["city3v1…", "city3v1+a…"])
        server.change()
        server.scheduler.advance(by: .milliseconds(500))
        #expect(server.takeLog() == ["a"] && observer.take() == ["city3v2+a"])
        fetches.invalidate(key)
        server.scheduler.advance()
        #expect(server.takeLog() == [] && observer.take() == ["city3v2+a…"])
        server.scheduler.advance(by: .seconds(1))
        #expect(server.takeLog() == ["city3v"] && observer.take() == ["a2…"])
        observer.end()
    }

    @Test("a change is sent although its observer goes, and its entry is kept until then")
    func unobserved() throws {
        let fetches = Fetches(from: server, on: server.scheduler, keepingUnused: .milliseconds(100))
        let answer = fetches.change(key) { server.answer("a") }
        server.scheduler.advance(by: .seconds(1))
        #expect(try answer.result?.get() == "a1")
        let observer = server.observe(fetches.source(key, freshFor: .seconds(1)))
        #expect(observer.take() == ["a1"] && server.takeLog() == ["a"])
        fetches.change(key) { server.answer("b") }
        server.scheduler.advance()
        observer.end()
        server.scheduler.advance(by: .milliseconds(1050))
        #expect(fetches.source(key).value.fetched?.value == "b1" && server.takeLog() == ["b"])
        server.scheduler.advance(by: .milliseconds(50))
        #expect(fetches.source(key).value.fetched == nil)
    }

    @Test("a fetch that waits for a change is not made without an observer")
    func unobservedFetch() {
        let fetches = server.fetches
        let observer = observed(fetches)
        fetches.change(key) { server.answer("a") }
        server.scheduler.advance()
        fetches.invalidate(key)
        server.scheduler.advance()
        observer.end()
        server.scheduler.advance(by: .seconds(5))
        #expect(server.takeLog() == ["a"])
    }

    @Test("a change does not make a value fresh that was fetched before")
    func age() {
        let fetches = server.fetches
        let observer = observed(fetches)
        server.scheduler.advance(by: .seconds(50))
        fetches.change(key) { server.answer("a") }
        server.scheduler.advance(by: .seconds(10))
        let fresh = server.observe(fetches.source(key, freshFor: .seconds(61)))
        #expect(server.takeLog() == ["a"])
        let stale = server.observe(fetches.source(key, freshFor: .seconds(60)))
        #expect(server.takeLog() == ["city3v"])
        [observer, fresh, stale].forEach { $0.end() }
    }

    @Test("a fetch that runs while the device goes offline is not paused")
    func offlineMeanwhile() {
        let online = System<Bool, Bool>(
            initialState: true, scheduler: server.scheduler, reducer: Reducer { $0 = $1 })
        let fetches = Fetches(from: server, on: server.scheduler, isOnline: online.settled)
        let observer = server.observe(fetches.source(key))
        online.sendEvent(false)
        server.scheduler.advance()
        #expect(observer.take() == ["…"] && fetches.source(key).value.fetching?.isPaused == false)
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["city3v1"])
        observer.end()
    }

    @Test("nothing is started while offline; changes and fetches go on in order")
    func offline() {
        let online = System<Bool, Bool>(
            initialState: false, scheduler: server.scheduler, reducer: Reducer { $0 = $1 })
        let fetches = Fetches(from: server, on: server.scheduler, isOnline: online.settled)
        let observer = server.observe(fetches.source(key, freshFor: .seconds(10)))
        #expect(observer.take() == ["paused"])
        fetches.change(key, optimistic: { $0 += "+a" }) { server.answer("a") }
        fetches.change(key, optimistic: { $0 += "+b" }) { server.answer("b") }
        server.scheduler.advance(by: .seconds(100))
        #expect(server.takeLog() == [] && observer.take().allSatisfy { $0 == "paused" })
        online.sendEvent(true)
        server.scheduler.advance(by: .seconds(3))
        #expect(server.takeLog() == ["a", "b", "city3v"])
        #expect(observer.take() == ["…", "a1+b…", "b1…", "city3v1"])

        online.sendEvent(false)
        server.scheduler.advance(by: .seconds(5))
        online.sendEvent(true)
        server.scheduler.advance()
        #expect(server.takeLog() == [])
        online.sendEvent(false)
        server.scheduler.advance(by: .seconds(6))
        fetches.invalidate(key)
        server.scheduler.advance()
        #expect(server.takeLog() == [] && observer.take() == [])
        online.sendEvent(true)
        server.scheduler.advance()
        #expect(server.takeLog() == ["city3v"] && observer.take().last == "city3v1…")
        online.sendEvent(false)
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take().last == "city3v1" && server.takeLog() == [])
        observer.end()
    }

    @Test("an error of a change that is not observed is reported")
    func unhandled() {
        Reports.begin()
        let fetches = server.fetches
        server.fail()
        let origin = Origin(#fileID, #line + 1)
        fetches.change(key) { server.answer("a") }
        server.scheduler.advance(by: .seconds(1))
        withExtendedLifetime(fetches) {}
        #expect(Reports.of(origin).map { $0.description.contains("Offline") } == [true])
    }
}
