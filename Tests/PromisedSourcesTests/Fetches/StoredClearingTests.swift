import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

/// What a program has stored, and the next one has not used yet.
@Suite struct StoredClearingTests {
    let server = CityServer()
    let memory: MemoryPersistence

    init() { memory = MemoryPersistence(on: server.scheduler) }

    struct RateKey: FetchKey {
        var currency = "eur"
        var path: [String] { ["rates", currency] }
        var storageKey: StorageKey<String>? { StorageKey("rate-\(currency)") }
        func fetch(from server: CityServer) -> Promise<String> { server.answer("\(currency)v") }
    }

    struct Like: StoredChange {
        static let name = "like"
        let text: String
        var values: [ValueChange<CityServer, String>] {
            [ValueChange(RateKey(), optimistic: { [text] in $0 += text })]
        }
        func send(to server: CityServer) -> Promise<String> { server.answer(text) }
    }

    enum Reach: CaseIterable, Sendable { case key, path, all, otherKey, otherPath }
    enum Act: CaseIterable, Sendable { case invalidate, remove, clear }

    private func fetches(isOnline: Bool = true, keeping: Duration = .seconds(300)) -> Fetches<CityServer> {
        Fetches(
            from: server, on: server.scheduler, isOnline: .constant(isOnline), keepingUnused: keeping,
            storage: FetchStorage(memory, version: "1"))
    }

    private func store() {
        let first = fetches()
        first.set("stored", for: RateKey())
        server.scheduler.advance()
    }

    private func perform(_ act: Act, to reach: Reach, of fetches: Fetches<CityServer>) {
        let key: RateKey? =
            switch reach {
            case .key: RateKey()
            case .otherKey: RateKey(currency: "usd")
            default: nil
            }
        let path = reach == .path ? ["rates"] : reach == .otherPath ? ["rates", "usd"] : []
        switch (act, key) {
        case (.invalidate, let key?): fetches.invalidate(key)
        case (.remove, let key?): fetches.remove(key)
        case (.clear, let key?): fetches.clear(key)
        case (.invalidate, nil): fetches.invalidate(under: path)
        case (.remove, nil): fetches.remove(under: path)
        case (.clear, nil): fetches.clear(under: path)
        }
        server.scheduler.advance()
    }

    @Test(
        "what is stored is made stale and forgotten although it was not used yet, and stays so",
        arguments: Act.allCases, Reach.allCases)
    func unused(act: Act, reach: Reach) {
        store()
        do {
            let second = fetches()
            perform(act, to: reach, of: second)
        }
        let isMeant = reach == .key || reach == .path || reach == .all
        let third = fetches()
        let observer = server.observe(third.source(RateKey(), freshFor: .seconds(60)))
        #expect(observer.take().last == (!isMeant ? "stored" : act == .invalidate ? "stored…" : "…"))
        server.scheduler.advance(by: .seconds(1))
        observer.end()
        // What was fetched since is fresh again.
        let last = server.observe(fetches().source(RateKey(), freshFor: .seconds(60)))
        #expect(last.take().last == (isMeant ? "eurv1" : "stored"))
        last.end()
    }

    @Test("in the same way after a value was discarded from memory", arguments: Act.allCases)
    func discarded(act: Act) {
        let fetches = fetches(keeping: .seconds(5))
        fetches.set("stored", for: RateKey())
        server.scheduler.advance(by: .seconds(10))
        perform(act, to: .path, of: fetches)
        let observer = server.observe(fetches.source(RateKey(), freshFor: .seconds(60)))
        #expect(observer.take().last == (act == .invalidate ? "stored…" : "…"))
        observer.end()
    }

    @Test("a source that is retained has what is stored when its value was discarded")
    func retained() {
        let fetches = fetches(keeping: .seconds(5))
        let source = fetches.source(RateKey(), freshFor: .seconds(60))
        server.observe(source).end()
        server.scheduler.advance(by: .seconds(1))
        fetches.set("stored", for: RateKey())
        server.scheduler.advance(by: .seconds(10))
        _ = server.takeLog()
        let observer = server.observe(source)
        #expect(observer.take() == ["stored"] && server.log == [])
        observer.end()
    }

    struct NumberKey: FetchKey {
        var storageKey: StorageKey<Double>? { StorageKey("number") }
        func fetch(from server: CityServer) -> Promise<Double> { .value(0) }
    }

    @Test("a value that can't be stored takes the place of the one before", arguments: [.nan, 2] as [Double])
    func notStorable(number: Double) {
        let first = fetches()
        for number in [1, number] {
            first.set(number, for: NumberKey())
            server.scheduler.advance()
        }
        #expect(fetches().source(NumberKey()).value.fetched?.value == (number == 2 ? 2 : nil))
    }

    @Test("changes that are not resumed yet are forgotten by path", arguments: [["rates"], [], ["other"]])
    func notResumed(path: [String]) {
        do {
            let first = fetches(isOnline: false)
            first.change(Like(text: "a")).catch { _ in }
            server.scheduler.advance()
        }
        let second = fetches()
        second.clear(under: path)
        second.resume([Like.self])
        server.scheduler.advance(by: .seconds(1))
        #expect(server.log.contains("a") == (path == ["other"]))
    }

    @Test("a change made before the others are resumed is sent once, and so are those that are resumed twice")
    func once() {
        do {
            let first = fetches(isOnline: false)
            first.change(Like(text: "old")).catch { _ in }
            server.scheduler.advance()
        }
        let second = fetches()
        second.change(Like(text: "new")).catch { _ in }
        for _ in 1...2 { second.resume([Like.self]) }
        server.scheduler.advance(by: .seconds(5))
        #expect(server.log.filter { $0 != "eurv" }.sorted() == ["new", "old"])
    }
}
