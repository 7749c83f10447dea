import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

@Suite(.tags(.sharedState)) struct CacheTests {
    struct Picture: Sendable, Equatable, CacheSizeRepresentable {
        var cacheSize: Int
    }

    let scheduler = TestScheduler()

    private func cache(_ options: CacheOptions) -> CachePersistence {
        CachePersistence(options, on: scheduler) { [scheduler] in
            Date(timeIntervalSince1970: 0).addingTimeInterval(scheduler.now.inSeconds)
        }
    }

    private func key(
        _ name: String, _ priority: CachePriority = .medium, expiresAfter: Duration? = nil
    ) -> StorageKey<Picture> { StorageKey(name, expiresAfter: expiresAfter, priority: priority) }

    private func names(_ cache: CachePersistence, _ names: String = "abcdef") -> String {
        String(names.filter { cache.source(for: key(String($0))).value.found != nil })
    }

    @Test("SA-58: of two values in a cache of two, the older one is not found when a third is set")
    func oldest() {
        let cache = cache(.count(2))
        let sources = ["a", "b", "c"].map { cache.source(for: key($0)) }
        let seen = Seen<Bool>()
        let token = sources[0].subscribe { seen.add($0.found != nil) }
        for source in sources { source.value.set(Picture(cacheSize: 1)) }
        #expect(
            sources.map { $0.value.found != nil } == [false, true, true]
                && seen.values == [false, true, false])
        #expect(cache.count == 2 && cache.totalSize == 2)
        // What is set again is new.
        sources[1].value.set(Picture(cacheSize: 1))
        sources[0].value.set(Picture(cacheSize: 1))
        #expect(sources.map { $0.value.found != nil } == [true, true, false])
        token.cancel()
    }

    @Test("SA-58: limits of count, of size, of both and none")
    func limits() {
        for (options, kept) in [
            (CacheOptions.none, "abcdef"), (.count(4), "cdef"), (.size(7), "ef"), (.size(15), "bcdef"),
            (CacheOptions(maximumCount: 3, maximumSize: 100), "def"),
            (CacheOptions(maximumCount: 5, maximumSize: 8), "ef"),
        ] {
            let cache = cache(options)
            for (size, name) in "abcdef".enumerated() {
                cache.set(Picture(cacheSize: size == 5 ? 1 : size + 1), for: key(String(name)))
            }
            #expect(names(cache) == kept, "\(options)")
            #expect(
                cache.totalSize <= options.maximumSize ?? .max && cache.count <= options.maximumCount ?? .max)
        }
    }

    @Test("SA-58: dropped are expired values, then those of lower priority, then older ones")
    func order() {
        let cache = cache(.count(5))
        func set(_ name: String, _ priority: CachePriority, expiresAfter: Duration? = nil) {
            cache.set(
                Picture(cacheSize: 1), for: key(name, priority, expiresAfter: expiresAfter))
        }
        set("a", .medium)
        set("b", .low)
        set("c", .high, expiresAfter: .seconds(60))
        set("d", .low)
        set("e", .medium)
        scheduler.advance(by: .seconds(61))
        #expect(names(cache) == "abcde")
        for (count, kept) in [(4, "abde"), (3, "ade"), (2, "ae"), (1, "e"), (0, "")] {
            cache.options = .count(count)
            #expect(names(cache) == kept)
        }
    }

    @Test(
        "SA-58: lowering a limit drops values, a memory warning drops the expired and those of low priority")
    func shrinking() {
        let cache = cache(.none)
        for (name, priority) in zip("abcd", [CachePriority.low, .medium, .high, .discardNever]) {
            cache.set(Picture(cacheSize: 1), for: key(String(name), priority))
        }
        cache.set(Picture(cacheSize: 1), for: key("e", expiresAfter: .seconds(1)))
        scheduler.advance(by: .seconds(2))
        cache.memoryWarning()
        #expect(names(cache) == "bcd")
        cache.options = .count(2)
        #expect(names(cache) == "cd" && cache.options == .count(2))
        cache.options = .count(0)
        #expect(names(cache) == "d" && cache.count == 1)
        cache.clear(key("d"))
        #expect(cache.count == 0)
    }

    @Test("SA-58: what is larger than the cache is not kept, and drops nothing")
    func tooLarge() {
        let cache = cache(.size(10))
        let source = cache.source(for: key("a"))
        cache.set(Picture(cacheSize: 10), for: key("b"))
        source.value.set(Picture(cacheSize: 11))
        #expect(source.value.found == nil && names(cache) == "b")
    }

    @Test("SA-58: values and sources are released when they are dropped")
    func released() {
        final class Thing: Sendable {}
        let cache = cache(.count(1))
        weak var thing: Thing?
        do {
            let first = Thing()
            thing = first
            cache.set(first, for: StorageKey<Thing>("a"))
        }
        #expect(thing != nil)
        cache.set(Thing(), for: StorageKey<Thing>("b"))
        #expect(thing == nil && cache.count == 1)
    }

    @Test("SA-58: the limit holds under eight threads", .oneAtATime)
    func threads() async {
        let cache = CachePersistence(CacheOptions(maximumCount: 50, maximumSize: 300))
        let isExceeded = Threadsafe(wrappedValue: false)
        let kept = (0..<10).map { cache.source(for: key("\($0)")) }
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(task))
                    for step in 0..<rounds(1_000, stress: 125_000) {
                        let source = cache.source(for: key("\(Int.random(in: 0..<200, using: &random))"))
                        switch Int.random(in: 0..<20, using: &random) {
                        case 0: source.value.found?.clear()
                        case 1: cache.memoryWarning()
                        case 2: cache.options = CacheOptions(maximumCount: 40 + step % 11, maximumSize: 300)
                        default: source.value.set(Picture(cacheSize: Int.random(in: 0..<20, using: &random)))
                        }
                        if cache.count > 50 || cache.totalSize > 300 { isExceeded.wrappedValue = true }
                    }
                }
            }
        }
        #expect(!isExceeded.wrappedValue)
        // All that is shown is what is there.
        for (number, source) in kept.enumerated() {
            let isThere = source.value.found != nil
            #expect(source.value.found?.value == cache.source(for: key("\(number)")).value.found?.value)
            cache.options = .count(0)
            #expect(source.value.found == nil && (isThere || !isThere))
        }
        #expect(cache.count == 0 && cache.totalSize == 0)
    }

    @Test("sizes whose sum is too large for a number count as large ones")
    func hugeSizes() {
        let cache = CachePersistence(on: .immediate)
        for name in ["a", "b", "c"] { cache.set(Picture(cacheSize: .max), for: key(name)) }
        #expect(cache.count == 3 && cache.totalSize > 1 << 40)
        cache.options = .size(1 << 39)
        #expect(cache.count == 1)
    }
}
