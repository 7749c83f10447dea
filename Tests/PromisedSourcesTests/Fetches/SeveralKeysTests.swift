import Promise
import PromisedSources
import PromisedTesting
import TestSupport
import Testing

@Suite struct SeveralKeysTests {
    let server = CityServer()
    let city = CityKey(id: 3)
    let mayor = MayorKey(city: 3)

    private func observed(_ fetches: Fetches<CityServer>) -> [Observer] {
        server.observed([fetches.source(city), fetches.source(mayor)])
    }

    private func liked(_ fetches: Fetches<CityServer>, _ text: String = "liked") -> Promise<String> {
        fetches.change(
            [
                ValueChange(city, optimistic: { $0 += "+" }, applying: { $0 += "/" + $1 }),
                ValueChange(mayor, optimistic: { $0 += "*" }),
            ], by: { [server] in server.answer(text) })
    }

    @Test("a change that has a key twice is refused, named, and blocks nothing")
    func twice() throws {
        let fetches = server.fetches
        let observer = server.observe(fetches.source(CityKey(id: 3)))
        server.scheduler.advance(by: .seconds(1))
        _ = (observer.take(), server.takeLog())
        let values = [3, 4, 3].map {
            ValueChange<CityServer, String>(CityKey(id: $0), optimistic: { $0 += "+" })
        }
        let refused = fetches.change(values) { [server] in server.answer("sent") }
        let error = #expect(throws: RepeatedKeyError.self) { try refused.result?.get() }
        #expect("\(try #require(error))".contains("has the key CityKey(id: 3) twice"))
        fetches.change(CityKey(id: 3), optimistic: { $0 += "*" }) { [server] in server.answer("next") }
        server.scheduler.advance(by: .seconds(1))
        #expect(server.takeLog() == ["next"])
        #expect(observer.take() == ["city3v1*", "next1"])
        observer.end()
    }

    @Test(
        "a change of several keys is one request: the answer is applied to each, or the guess is what has happened"
    )
    func success() throws {
        let fetches = server.fetches
        let observers = observed(fetches)
        let answer = liked(fetches)
        server.scheduler.advance()
        #expect(
            observers.map { $0.take() } == [["city3v1+"], ["mayor3v1*"]] && server.takeLog() == ["liked"])
        server.scheduler.advance(by: .seconds(1))
        #expect(observers.map { $0.take() } == [["city3v1/liked1"], []])
        #expect(try answer.result?.get() == "liked1")
        #expect(fetches.source(mayor).value.fetched?.value == "mayor3v1*")
        observers.forEach { $0.end() }
    }

    @Test("if it fails, all of its guesses go")
    func failure() {
        let fetches = server.fetches
        let observers = observed(fetches)
        server.fail()
        let answer = liked(fetches)
        server.scheduler.advance(by: .seconds(1))
        #expect(observers.map { $0.take() } == [["city3v1+", "city3v1"], ["mayor3v1*", "mayor3v1"]])
        #expect(throws: Offline.self) { try answer.result?.get() }
        observers.forEach { $0.end() }
    }

    /// What one of the two keys is still doing.
    @Test("it is sent when it is the next one of all its keys", arguments: [0, 1], ["fetch", "change"])
    func waits(busy: Int, with what: String) throws {
        let fetches = server.fetches
        let observers = observed(fetches)
        switch (busy, what) {
        case (0, "fetch"): fetches.invalidate(city)
        case (1, "fetch"): fetches.invalidate(mayor)
        case (0, _): fetches.change(city, by: { [server] in server.answer("before") })
        default: fetches.change(mayor, by: { [server] in server.answer("before") })
        }
        server.scheduler.advance(by: .milliseconds(500))
        let (answer, next) = (liked(fetches), liked(fetches, "again"))
        server.scheduler.advance(by: .milliseconds(400))
        #expect(server.takeLog().count == 1)
        server.scheduler.advance(by: .milliseconds(100))
        #expect(server.takeLog() == ["liked"])
        server.scheduler.advance(by: .seconds(1))
        #expect(try answer.result?.get() == "liked1" && server.takeLog() == ["again"])
        server.scheduler.advance(by: .seconds(1))
        #expect(try next.result?.get() == "again1")
        observers.forEach { $0.end() }
    }

    @Test("two that have their keys in different orders do not wait for each other")
    func order() throws {
        let fetches = server.fetches
        let a = fetches.change([ValueChange(city), ValueChange(mayor)]) { [server] in server.answer("a") }
        let b = fetches.change([ValueChange(mayor), ValueChange(city)]) { [server] in server.answer("b") }
        server.scheduler.advance(by: .seconds(10))
        #expect(try a.result?.get() == "a1" && b.result?.get() == "b1")
        // Neither has a value: both are fetched afterwards.
        #expect(server.log.prefix(2) == ["a", "b"] && server.log.count == 4)
    }

    @Test("clearing one of its keys rejects it, before and after it is sent", arguments: [false, true])
    func cleared(isSent: Bool) {
        let fetches = server.fetches
        let observers = observed(fetches)
        if !isSent { fetches.invalidate(mayor) }
        server.scheduler.advance()
        let answer = liked(fetches)
        server.scheduler.advance(by: .milliseconds(500))
        fetches.clear(city)
        server.scheduler.advance(by: .seconds(5))
        #expect(throws: CancellationError.self) { try answer.result?.get() }
        #expect(observers.map { $0.take().last } == ["city3v1", "mayor3v1"])
        observers.forEach { $0.end() }
    }

    @Test("a change of no key is an answer that nothing waits for")
    func empty() throws {
        let fetches = server.fetches
        let answer = fetches.change([]) { [server] in server.answer("a") }
        server.scheduler.advance(by: .seconds(1))
        #expect(try answer.result?.get() == "a1")
    }

    // MARK: The state of a change

    @Test("the state of a change is a source: on its way, failed and sent again, answered")
    func state() {
        let fetches = server.fetches
        let observers = observed(fetches)
        server.fail()
        let sending = fetches.changing([ValueChange(city, optimistic: { $0 += "+" })]) { [server] in
            server.answer("liked")
        }
        let observer = server.observe(sending)
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["…", "failed 1"])
        let retry = sending.value.failure?.retry
        retry?()
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["…", "failed 2"])
        server.fail(false)
        sending.value.failure?.retry?()
        #expect(sending.value.failure == nil)
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["…", "liked1"])
        #expect(
            observers[0].take() == ["city3v1+", "city3v1", "city3v1+", "city3v1", "city3v1+"])
        (observers + [observer]).forEach { $0.end() }
    }

    @Test("a change that waits for the network says so")
    func paused() {
        let online = System<Bool, Bool>(
            initialState: false, scheduler: server.scheduler, reducer: Reducer { $0 = $1 })
        let fetches = Fetches(from: server, on: server.scheduler, isOnline: online.settled)
        let sending = fetches.changing([ValueChange(city)]) { [server] in server.answer("liked") }
        let observer = server.observe(sending)
        online.sendEvent(true)
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["paused", "…", "liked1"])
        observer.end()
    }
}
