import Promise
import PromisedSources
import PromisedTesting
import TestSupport
import Testing

@Suite struct FetchOptionsTests {
    let server = CityServer()

    struct PolledKey: FetchKey {
        var options: FetchOptions { FetchOptions(pollingEvery: .seconds(10)) }
        func fetch(from server: CityServer) -> Promise<String> { server.answer("poll") }
    }

    @Test("a key is polled while it is observed: from its answer on, also after a failure")
    func polling() {
        let fetches = server.fetches
        let observer = server.observe(fetches.source(PolledKey(), freshFor: .seconds(60)))
        server.scheduler.advance(by: .seconds(11))
        #expect(server.log.count == 2)
        server.fail()
        server.scheduler.advance(by: .seconds(1))
        server.fail(false)
        server.scheduler.advance(by: .seconds(9))
        #expect(server.log.count == 2)
        server.scheduler.advance(by: .seconds(1))
        #expect(server.log.count == 3)
        server.scheduler.advance(by: .seconds(1))
        observer.end()
        server.scheduler.advance(by: .seconds(100))
        #expect(server.log.count == 3)
        // Observed again, it is fresh, and polled after a period.
        fetches.set("known", for: PolledKey())
        let second = server.observe(fetches.source(PolledKey(), freshFor: .seconds(60)))
        server.scheduler.advance(by: .milliseconds(9_999))
        #expect(server.log.count == 3)
        server.scheduler.advance(by: .milliseconds(1))
        #expect(server.log.count == 4)
        second.end()
    }

    @Test("a key is not polled while the device is offline")
    func pollingOffline() {
        let online = System<Bool, Bool>(
            initialState: true, scheduler: server.scheduler, reducer: Reducer { $0 = $1 })
        let fetches = Fetches(from: server, on: server.scheduler, isOnline: online.settled)
        let observer = server.observe(fetches.source(PolledKey(), freshFor: .seconds(60)))
        server.scheduler.advance(by: .seconds(1))
        online.sendEvent(false)
        server.scheduler.advance(by: .seconds(50))
        #expect(server.log.count == 1)
        online.sendEvent(true)
        server.scheduler.advance(by: .seconds(10))
        #expect(server.log.count == 2)
        observer.end()
    }

    struct ModeKey: FetchKey {
        let network: FetchOptions.Network
        var options: FetchOptions { FetchOptions(network: network) }
        func fetch(from server: CityServer) -> Promise<String> { server.answer("get") }
    }

    /// What is requested while offline, and then online again, if the server answers only then.
    @Test(
        "what a request has to do with the network is a matter of its key",
        arguments: [
            (FetchOptions.Network.needed, ["paused"], []), (.triedFirst, ["…", "paused"], ["get"]),
            (.notNeeded, ["…", "failed 1"], ["get"]),
        ])
    func network(mode: FetchOptions.Network, seen: [String], log: [String]) {
        let online = System<Bool, Bool>(
            initialState: false, scheduler: server.scheduler, reducer: Reducer { $0 = $1 })
        let fetches = Fetches(from: server, on: server.scheduler, isOnline: online.settled)
        server.fail()
        let observer = server.observe(fetches.source(ModeKey(network: mode)))
        server.scheduler.advance(by: .seconds(100))
        #expect(observer.take() == seen && server.takeLog() == log)
        server.fail(false)
        online.sendEvent(true)
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == (mode == .notNeeded ? [] : ["…", "get1"]))
        observer.end()
    }

    @Test("a request that is tried first may be answered offline, and is tried again after a time online")
    func triedFirst() {
        let online = System<Bool, Bool>(
            initialState: false, scheduler: server.scheduler, reducer: Reducer { $0 = $1 })
        let fetches = Fetches(from: server, on: server.scheduler, isOnline: online.settled)
        let key = ModeKey(network: .triedFirst)
        let observer = server.observe(fetches.source(key))
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["…", "get1"])
        server.fail()
        fetches.invalidate(key)
        server.scheduler.advance(by: .seconds(1))
        fetches.invalidate(key)
        server.scheduler.advance(by: .seconds(1))
        #expect(server.log.count == 2 && observer.take() == ["get1…", "get1"])
        online.sendEvent(true)
        server.scheduler.advance(by: .seconds(1))
        #expect(server.log.count == 3 && observer.take() == ["get1…", "get1!"])
        observer.end()
    }

    @Test(
        "each time offline is like the first one",
        arguments: [(FetchOptions.Network.needed, 0), (.triedFirst, 1), (.notNeeded, 1)])
    func timesOffline(mode: FetchOptions.Network, requests: Int) {
        let online = System<Bool, Bool>(
            initialState: true, scheduler: server.scheduler, reducer: Reducer { $0 = $1 })
        let fetches = Fetches(from: server, on: server.scheduler, isOnline: online.settled)
        let key = ModeKey(network: mode)
        let observer = server.observe(fetches.source(key))
        server.scheduler.advance(by: .seconds(1))
        for _ in 1...3 {
            online.sendEvent(false)
            server.fail()
            server.scheduler.advance()
            _ = server.takeLog()
            fetches.invalidate(key)
            server.scheduler.advance(by: .seconds(1))
            #expect(server.takeLog().count == requests)
            online.sendEvent(true)
            server.fail(false)
            server.scheduler.advance(by: .seconds(1))
        }
        observer.end()
    }

    @Test(
        "changes follow the network of their key, and are not tried in vain",
        arguments: [FetchOptions.Network.needed, .triedFirst, .notNeeded], [false, true])
    func changes(mode: FetchOptions.Network, isShown: Bool) {
        let online = System<Bool, Bool>(
            initialState: false, scheduler: server.scheduler, reducer: Reducer { $0 = $1 })
        let fetches = Fetches(from: server, on: server.scheduler, isOnline: online.settled)
        let key = ModeKey(network: mode)
        let request = { @Sendable [server] in server.answer("a") }
        let shown = isShown ? fetches.changing([ValueChange(key)], by: request) : nil
        let answer = isShown ? nil : fetches.change(key, by: request)
        server.scheduler.advance()
        #expect(server.log == (mode == .notNeeded ? ["a"] : []))
        if let shown { #expect(shown.value.fetching?.isPaused == (mode != .notNeeded)) }
        server.scheduler.advance(by: .seconds(1))
        online.sendEvent(true)
        server.scheduler.advance(by: .seconds(1))
        #expect(server.log.first == "a" && server.log.count { $0 == "a" } == 1)
        #expect(shown?.value.fetched?.value == (isShown ? "a1" : nil))
        #expect((try? answer?.result?.get()) == (isShown ? nil : "a1"))
    }

    @Test(
        "a change that needs no network is not shown as paused",
        arguments: [FetchOptions.Network.needed, .notNeeded])
    func changing(mode: FetchOptions.Network) {
        let fetches = Fetches(from: server, on: server.scheduler, isOnline: .constant(false))
        let sending = fetches.changing([ValueChange(ModeKey(network: mode))]) { [server] in server.answer("a")
        }
        server.scheduler.advance()
        #expect(sending.value.fetching?.isPaused == (mode == .needed))
        #expect(server.log.isEmpty == (mode == .needed))
    }

    @Test("a change is not lost offline, also where a fetch is tried first")
    func changeTriedFirst() throws {
        let online = System<Bool, Bool>(
            initialState: true, scheduler: server.scheduler, reducer: Reducer { $0 = $1 })
        let fetches = Fetches(from: server, on: server.scheduler, isOnline: online.settled)
        let key = ModeKey(network: .triedFirst)
        let observer = server.observe(fetches.source(key, freshFor: .seconds(60)))
        server.scheduler.advance(by: .seconds(1))
        online.sendEvent(false)
        server.fail()
        let answer = fetches.change(key, optimistic: { $0 += "?" }, by: { [server] in server.answer("a") })
        answer.catch { _ in }
        server.scheduler.advance(by: .seconds(1))
        fetches.invalidate(key)
        server.scheduler.advance(by: .seconds(1))
        #expect(server.takeLog() == ["get", "get"] && observer.take().last == "get1?")
        server.fail(false)
        online.sendEvent(true)
        server.scheduler.advance(by: .seconds(2))
        #expect(server.takeLog() == ["a", "get"] && observer.take().last == "get1")
        #expect(try answer.result?.get() == "a1")
        observer.end()
    }

    // MARK: Equal values

    @Test("an equal value is not delivered again, by whatever it comes")
    func equal() {
        let fetches = server.fetches
        let key = CityKey(id: 3)
        let observer = server.observe(fetches.source(key, freshFor: .seconds(60)))
        server.scheduler.advance(by: .seconds(1))
        _ = observer.take()
        fetches.set("city3v1", for: key)
        fetches.set(key) { $0 = $0 }
        fetches.change(key, optimistic: { _ in }, by: { Promise.value("city3v1") })
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == [])
        fetches.invalidate(key)
        server.scheduler.advance(by: .seconds(1))
        // That it is refreshed is another thing.
        #expect(observer.take() == ["city3v1…", "city3v1"])
        observer.end()
    }

    struct Opaque: Sendable {
        let text: String
    }

    struct OpaqueKey: FetchKey {
        func fetch(from server: CityServer) -> Promise<Opaque> { server.answer("o").map { Opaque(text: $0) } }
    }

    @Test("a value that can't be compared is delivered again")
    func opaque() {
        let fetches = server.fetches
        let observer = server.observe(fetches.source(OpaqueKey())) { $0.text }
        server.scheduler.advance(by: .seconds(1))
        fetches.set(Opaque(text: "o1"), for: OpaqueKey())
        server.scheduler.advance()
        #expect(observer.take() == ["…", "o1", "o1"])
        observer.end()
    }
}
