import Promise
import PromisedSources
import PromisedTesting
import Testing

/// A storage in memory, which may refuse values.
final class MemoryStorage: StateSource {
    let state = SourceState<Persistable<Int>>()
    let initial: Int?
    let isExpired: Bool
    let refuses = Threadsafe(wrappedValue: false)
    let written = Seen<Int>()

    init(_ initial: Int?, isExpired: Bool = false) { (self.initial, self.isExpired) = (initial, isExpired) }

    var initialModel: Persistable<Int> {
        initial.map { found($0, isExpired) } ?? .notFound(.init(set: setAction))
    }
    private var setAction: Action<Int> { action(MemoryStorage.set, at: { $0.set }, "set") }
    private var clearAction: Action<Void> { action(MemoryStorage.clear, at: \.found?.clear, "clear") }

    private func found(_ value: Int, _ isExpired: Bool = false) -> Persistable<Int> {
        .found(.init(value, isExpired: isExpired, set: setAction, clear: clearAction))
    }
    private func set(_ value: Int) {
        written.add(value)
        model = refuses.wrappedValue ? .notFound(.init(error: Refused("full"), set: setAction)) : found(value)
    }
    private func clear() { model = .notFound(.init(set: setAction)) }
    func expire() { if let value = model.found?.value { model = found(value, true) } }
}

@Suite struct PersistedTests {
    let scheduler = TestScheduler()
    let server = FakeServer<Int>()

    private func persisted(_ storage: MemoryStorage) -> Source<Fetchable<Int>> {
        .fetching(on: scheduler) { [server] in server.get() }.persisted(using: storage.eraseToSource())
    }

    @Test("SA-51: a fresh value is shown without a fetch, and a refresh always fetches")
    func fresh() {
        let storage = MemoryStorage(1)
        let source = persisted(storage)
        let (seen, token) = texts(source)
        scheduler.advance(by: .seconds(60))
        #expect(seen.values == ["1"] && server.requests.wrappedValue == 0)
        source.value.fetched?.refresh?()
        scheduler.advance()
        server.answer(2, on: scheduler)
        #expect(seen.values == ["1", "1+", "2"] && storage.written.values == [2])
        source.value.fetched?.refresh?()
        scheduler.advance()
        server.answer(3, on: scheduler)
        #expect(storage.model.found?.value == 3 && source.value.text == "3")
        token.cancel()
    }

    @Test("SA-51: an expired value is shown and fetched again; a failure is shown beside it")
    func expired() {
        let storage = MemoryStorage(1, isExpired: true)
        let source = persisted(storage)
        let (seen, token) = texts(source)
        scheduler.advance()
        #expect(source.value.text == "1+" && server.requests.wrappedValue == 1)
        server.fail(on: scheduler)
        #expect(source.value.text == "1 refused !1")
        source.value.load()
        scheduler.advance()
        server.answer(2, on: scheduler)
        #expect(source.value.text == "2" && storage.written.values == [2])
        // It expires later: fetched once more.
        storage.expire()
        scheduler.advance()
        #expect(source.value.text == "2+" && server.requests.wrappedValue == 3)
        server.answer(3, on: scheduler)
        #expect(source.value.text == "3")
        #expect(seen.values.first == "1+" && !seen.values.contains { $0.hasPrefix("…") })
        token.cancel()
    }

    @Test("SA-51: an absent value is fetched, stored, and shown from there; a cleared one is fetched again")
    func absent() {
        let storage = MemoryStorage(nil)
        let source = persisted(storage)
        let (seen, token) = texts(source)
        scheduler.advance()
        server.fail(on: scheduler)
        #expect(source.value.text == "refused !1")
        source.value.load()
        scheduler.advance()
        server.answer(1, on: scheduler)
        #expect(seen.values == ["…", "refused !1", "…", "1"] && storage.written.values == [1])
        storage.model.found?.set(9)
        #expect(source.value.text == "9")
        storage.model.found?.clear()
        scheduler.advance()
        #expect(source.value.text == "…" && server.inFlight == 1)
        server.answer(2, on: scheduler)
        #expect(source.value.text == "2")
        token.cancel()
    }

    @Test("SA-51: a storage that refuses values loses nothing, and is no reason to fetch again")
    func refusing() {
        let storage = MemoryStorage(nil)
        storage.refuses.wrappedValue = true
        let source = persisted(storage)
        _ = source.value
        scheduler.advance()
        server.answer(1, on: scheduler)
        scheduler.advance(by: .seconds(60))
        #expect(source.value.text == "1 full !1" && server.requests.wrappedValue == 1)
        storage.refuses.wrappedValue = false
        source.value.load()
        scheduler.advance()
        server.answer(2, on: scheduler)
        #expect(source.value.text == "2" && storage.model.found?.value == 2)
    }

    @Test(
        "SA-51: a fetch that others use is fetched again if the value has expired, and taken if there is none"
    )
    func shared() {
        let fetched = Source<Fetchable<Int>>.fetching(on: scheduler) { [server] in server.get() }
        _ = fetched.value
        scheduler.advance()
        server.answer(1, on: scheduler)
        let absent = fetched.persisted(using: MemoryStorage(nil).eraseToSource())
        #expect(absent.value.text == "1" && server.requests.wrappedValue == 1)
        let expired = fetched.persisted(using: MemoryStorage(0, isExpired: true).eraseToSource())
        _ = expired.value
        scheduler.advance()
        #expect(server.requests.wrappedValue == 2 && expired.value.text == "0+")
        server.answer(2, on: scheduler)
        #expect(expired.value.text == "2" && absent.value.text == "2")
    }
}
