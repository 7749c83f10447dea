import Foundation
import Promise
import PromisedTesting
import Testing

@testable import PromisedSources

/// Values for which a cache has no room.
@Suite struct CacheRefusalTests {
    let scheduler = TestScheduler()
    let key = StorageKey<String>("text")
    let small = "small"
    let large = String(repeating: "large", count: 100)

    @Test(
        "SA-58: a value larger than the whole cache is not set by replace and update, and what is there stays",
        arguments: [true, false])
    func tooLarge(_ isThere: Bool) throws {
        let cache = CachePersistence(.size(200), on: scheduler)
        let source = cache.source(for: key)
        if isThere { cache.set(small, for: key) }
        let seen = Seen<String?>()
        let token = source.subscribe { seen.add($0.found?.value) }
        #expect(!cache.replace(large, for: key) { _ in true })
        let error = #expect(throws: StorageError.self) { try cache.update(small, for: key) { $0 = large } }
        #expect(
            error.map { "\($0)" }?.hasSuffix(
                "and the limit is 200. Raise the limit of the cache, or store less.") == true)
        #expect(source.value.found?.value == (isThere ? small : nil))
        #expect(!seen.values.contains(large) && cache.count == (isThere ? 1 : 0))
        // One that fits is set after that.
        try cache.update("", for: key) { $0 += "!" }
        #expect(source.value.found?.value == (isThere ? "small!" : "!"))
        #expect(source.value.found?.error == nil)
        token.cancel()
    }

    @Test(
        "SA-58: a value for which others would have to go that stay is not set by replace and update",
        arguments: [CachePriority.discardNever, .high, .medium], [CacheOptions.count(2), .size(40)])
    func othersStay(_ priority: CachePriority, _ options: CacheOptions) throws {
        let date = Threadsafe(wrappedValue: Date(timeIntervalSince1970: 0))
        let cache = CachePersistence(options, on: scheduler) { date.wrappedValue }
        let others = ["a", "b"].map {
            StorageKey<String>($0, expiresAfter: .seconds(9), priority: priority)
        }
        for other in others { cache.set("", for: other) }
        let isSet = cache.replace(small, for: key) { _ in true }
        #expect(isSet == (priority == .medium))
        #expect((cache.source(for: key).value.found?.value == small) == isSet)
        if isSet { return }
        #expect(throws: StorageError.self) { try cache.update("", for: key) { $0 = "x" } }
        #expect(cache.count == 2)
        // What has expired makes way, unless it is never dropped.
        date.wrappedValue += 10
        #expect(cache.replace(small, for: key) { _ in true } == (priority == .high))
    }

    @Test("SA-58: what is never dropped is set, however large it is")
    func neverDropped() throws {
        let cache = CachePersistence(.size(200), on: scheduler)
        let key = StorageKey<String>("text", priority: .discardNever)
        try cache.update("", for: key) { $0 = large }
        #expect(cache.source(for: key).value.found?.value == large)
    }

    @Test("SA-58: optional values, and lists of them, count with their contents")
    func optional() {
        func size<Value: Sendable>(_ value: Value) -> Int {
            let cache = CachePersistence(on: scheduler)
            cache.set(value, for: StorageKey<Value>("value"))
            return cache.totalSize
        }
        let data = Data(count: 1_000)
        #expect(size(Optional(data)) == size(data) && size(Data?.none) < 100)
        #expect(size([data, nil, data] as [Data?]) >= 2_000 && size([Optional(data)]) < 1_100)
        #expect(size(["a": [data as Data?]]) >= 1_000 && size([[data], nil] as [[Data]?]) >= 1_000)
        #expect(size([1, nil] as [Int?]) == size([1, 2] as [Int?]))
    }

    @Test(
        "SA-51: a fetched value for which the storage has no room is shown, and not fetched again",
        arguments: [CacheOptions.size(1), .count(1), .count(0)])
    func persisted(_ options: CacheOptions) {
        let cache = CachePersistence(options, on: scheduler)
        let requests = Seen<String>()
        let sources = ["a", "b", "c"].map { name in
            Source<Fetchable<String>>.fetching(on: scheduler) {
                Promise.value(name).tap { requests.add($0) }.delay(.seconds(1))
            }.persisted(using: cache.source(for: StorageKey<String>(name)))
        }
        let tokens = sources.map { $0.subscribe { _ in } }
        scheduler.advance(by: .seconds(100))
        #expect(sources.map { $0.value.fetched?.value } == ["a", "b", "c"])
        #expect(requests.values == ["a", "b", "c"])
        sources[0].value.fetched?.refresh?()
        scheduler.advance(by: .seconds(100))
        #expect(requests.values == ["a", "b", "c", "a"] && sources[0].value.fetched?.isRefreshing == false)
        // What is removed, and not only dropped, is fetched again.
        cache.options = .none
        sources[1].value.fetched?.refresh?()
        scheduler.advance(by: .seconds(100))
        cache.clear(StorageKey<String>("b"))
        scheduler.advance(by: .seconds(100))
        #expect(requests.values == ["a", "b", "c", "a", "b", "b"] && sources[1].value.fetched?.value == "b")
        for token in tokens { token.cancel() }
    }
}
