import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

/// What is there when the program is started again.
@Suite struct RestartTests {
    let server = CityServer()

    struct RateKey: FetchKey {
        let currency: String
        var storageKey: StorageKey<String>? { StorageKey("rate-\(currency)") }
        func fetch(from server: CityServer) -> Promise<String> { server.answer("\(currency)v") }
    }

    struct Like: StoredChange {
        static let name = "like"
        let text: String
        var values: [ValueChange<CityServer, String>] {
            [
                ValueChange(
                    RateKey(currency: "eur"), optimistic: { [text] in $0 += text }, applying: { $0 = $1 })
            ]
        }
        func send(to server: CityServer) -> Promise<String> { server.answer(text) }
    }

    struct Other: StoredChange {
        static let name = "other"
        var values: [ValueChange<CityServer, String>] { [ValueChange(RateKey(currency: "eur"))] }
        func send(to server: CityServer) -> Promise<String> { server.answer("other") }
    }

    let key = RateKey(currency: "eur")

    private func storage(_ memory: some Persistence, version: String = "1") -> FetchStorage {
        let scheduler = server.scheduler
        return FetchStorage(memory, version: version) {
            Date(timeIntervalSinceReferenceDate: scheduler.now / .seconds(1))
        }
    }

    private func fetches(_ storage: FetchStorage?, isOnline: Source<Bool> = .constant(true)) -> Fetches<
        CityServer
    > {
        Fetches(from: server, on: server.scheduler, isOnline: isOnline, storage: storage)
    }

    /// Has a value of the age of ten seconds.
    private func stored(_ memory: MemoryPersistence) {
        let first = fetches(storage(memory))
        let observer = server.observe(first.source(key))
        server.scheduler.advance(by: .seconds(1))
        observer.end()
        server.scheduler.advance(by: .seconds(10))
        _ = server.takeLog()
    }

    @Test("a value is there at once, with its age", arguments: [10, 11], ["1", "2"])
    func value(freshFor: Int, version: String) {
        let memory = MemoryPersistence(on: server.scheduler)
        stored(memory)
        let second = fetches(storage(memory, version: version))
        let observer = server.observe(second.source(key, freshFor: .seconds(freshFor)))
        let expected = version == "2" ? "…" : freshFor == 10 ? "eurv1…" : "eurv1"
        #expect(observer.take().last == expected && server.log.isEmpty == (expected == "eurv1"))
        let other = server.observe(second.source(RateKey(currency: "usd")))
        #expect(other.take() == ["…"])
        [observer, other].forEach { $0.end() }
    }

    @Test("what a value has become since is stored: set, changed, stale, removed; a guess is not")
    func changes() throws {
        let memory = MemoryPersistence(on: server.scheduler)
        let first = fetches(storage(memory))
        func found() -> String? {
            let next = fetches(storage(memory))
            let observer = server.observe(next.source(key, freshFor: .seconds(60)))
            defer { observer.end() }
            return observer.take().last
        }
        first.set("set", for: key)
        server.scheduler.advance()
        #expect(found() == "set")
        first.change(key, optimistic: { $0 = "guess" }, by: { [server] in server.answer("changed") })
        server.scheduler.advance(by: .milliseconds(500))
        #expect(found() == "set")
        server.scheduler.advance(by: .milliseconds(500))
        #expect(found() == "changed1")
        first.invalidate(key)
        server.scheduler.advance()
        #expect(found() == "changed1…")
        // It stays when it is discarded from memory.
        server.scheduler.advance(by: .seconds(300))
        #expect(found() == "changed1…")
        first.set("set", for: key)
        first.remove(key)
        server.scheduler.advance()
        #expect(found() == "…")
    }

    @Test(
        "what is only in the storage is made stale and forgotten like what is in use",
        arguments: [("invalidate", "eurv1…"), ("cancel", "eurv1"), ("remove", "…"), ("clear", "…")],
        [false, true])
    func storedOnly(_ call: (name: String, seen: String), isRestarted: Bool) {
        let memory = MemoryPersistence(on: server.scheduler)
        stored(memory)
        let second = fetches(storage(memory))
        func found(_ fetches: Fetches<CityServer>) -> String? {
            let observer = server.observe(fetches.source(key, freshFor: .seconds(1_000)))
            defer { observer.end() }
            return observer.take().last
        }
        if !isRestarted {
            #expect(found(second) == "eurv1")
            server.scheduler.advance(by: .seconds(301))
        }
        switch call.name {
        case "invalidate": second.invalidate(key)
        case "cancel": second.cancel(key)
        case "remove": second.remove(key)
        default: second.clear(key)
        }
        server.scheduler.advance()
        #expect(server.takeLog() == [])
        #expect(found(fetches(storage(memory))) == call.seen && found(second) == call.seen)
    }

    @Test("a value from the future is stale")
    func future() {
        let memory = MemoryPersistence(on: server.scheduler)
        stored(memory)
        let before = FetchStorage(memory, version: "1") { .distantPast }
        let observer = server.observe(fetches(before).source(key, freshFor: .seconds(1_000)))
        #expect(observer.take().last == "eurv1…")
        observer.end()
    }

    @Test("changes that wait are sent in order after a restart, and once")
    func paused() {
        let memory = MemoryPersistence(on: server.scheduler)
        stored(memory)
        do {
            let first = fetches(storage(memory), isOnline: .constant(false))
            for text in ["a", "b"] { first.change(Like(text: text)).catch { _ in } }
            server.scheduler.advance()
        }
        let second = fetches(storage(memory))
        second.resume([Other.self, Like.self])
        let observer = server.observe(second.source(key, freshFor: .seconds(1_000)))
        #expect(observer.take().last == "eurv1ab" && server.takeLog() == ["a"])
        server.scheduler.advance(by: .seconds(2))
        #expect(observer.take().last == "b1" && server.takeLog() == ["b"])
        fetches(storage(memory)).resume([Like.self])
        server.scheduler.advance(by: .seconds(2))
        #expect(server.takeLog() == [])
        observer.end()
    }

    @Test(
        "a change that is resumed and not answered is no unhandled error; one that fails is",
        arguments: [false, true])
    func resumedAgain(fails: Bool) {
        Reports.begin()
        let (memory, scheduler) = (MemoryPersistence(on: server.scheduler), server.scheduler)
        do {
            let first = fetches(storage(memory), isOnline: .constant(false))
            first.change(Like(text: "a")).catch { _ in }
            scheduler.advance()
        }
        server.fail(fails)
        do {
            let second = fetches(storage(memory), isOnline: .constant(fails))
            second.resume([Like.self], file: "RestartTests", line: fails ? 2 : 1)
            scheduler.advance(by: .seconds(1))
        }
        #expect(Reports.of(Origin("RestartTests", fails ? 2 : 1)).count == (fails ? 1 : 0))
        _ = server.takeLog()
        fetches(storage(memory)).resume([Like.self])
        scheduler.advance()
        #expect(server.log.contains("a") == !fails)
    }

    @Test(
        "what is answered, has failed or was cleared is not sent again",
        arguments: ["answer", "failure", "clear", "clear one"])
    func ended(by end: String) {
        let memory = MemoryPersistence(on: server.scheduler)
        let first = fetches(storage(memory))
        server.fail(end == "failure")
        let answer = first.change(Like(text: "a"))
        answer.catch { _ in }
        server.scheduler.advance(by: .milliseconds(500))
        if end == "clear" { first.clear() }
        if end == "clear one" { first.clear(key) }
        server.scheduler.advance(by: .milliseconds(500))
        #expect((try? answer.result?.get()) == (end == "answer" ? "a1" : nil) && answer.result != nil)
        _ = server.takeLog()
        fetches(storage(memory)).resume([Like.self])
        server.scheduler.advance(by: .seconds(1))
        #expect(!server.log.contains("a"))
    }

    @Test("what is of another type or of another version is removed", arguments: ["1", "2"])
    func lost(version: String) {
        let memory = MemoryPersistence(on: server.scheduler)
        do {
            let first = fetches(storage(memory), isOnline: .constant(false))
            first.change(Like(text: "a")).catch { _ in }
            server.scheduler.advance()
        }
        fetches(storage(memory, version: version)).resume(version == "1" ? [Other.self] : [Like.self])
        server.scheduler.advance()
        let third = fetches(storage(memory))
        third.resume([Like.self])
        server.scheduler.advance(by: .seconds(1))
        #expect(server.log == [])
    }

    @Test("a change is written before it is sent, in files as well, and also when it is the second one")
    func written() throws {
        let folder = try TemporaryFolder()
        let files = { [server, folder] in FilePersistence(folder: folder.url, on: server.scheduler) }
        let first = fetches(storage(files()))
        for (count, text) in ["a", "b"].enumerated() {
            first.change(Like(text: text)).catch { _ in }
            server.scheduler.advance()
            #expect(files().source(for: .changes).value.found?.value.count == count + 1)
        }
        #expect(server.takeLog() == ["a"])
        // The next process sends both, the first one, which goes on, the second.
        let second = fetches(storage(files()))
        second.resume([Like.self])
        server.scheduler.advance(by: .seconds(3))
        #expect(server.takeLog().filter { $0 == "a" || $0 == "b" }.sorted() == ["a", "b", "b"])
        withExtendedLifetime(first) {}
    }

    @Test("a change made before the others are resumed is sent once, and so are those that are resumed twice")
    func resumedLate() {
        let memory = MemoryPersistence(on: server.scheduler)
        do {
            let first = fetches(storage(memory), isOnline: .constant(false))
            first.change(Like(text: "a")).catch { _ in }
            server.scheduler.advance()
        }
        let second = fetches(storage(memory))
        second.change(Like(text: "b")).catch { _ in }
        second.resume([Like.self])
        second.resume([Like.self])
        server.scheduler.advance(by: .seconds(3))
        #expect(server.takeLog().filter { $0 == "a" || $0 == "b" } == ["b", "a"])
    }

    @Test("without a storage it is a change like any other")
    func memoryOnly() throws {
        let plain = fetches(nil)
        plain.resume([Like.self])
        let answer = plain.change(Like(text: "a"))
        server.scheduler.advance(by: .seconds(1))
        #expect(try answer.result?.get() == "a1")
    }
}
