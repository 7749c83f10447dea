import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

/// What every storage does.
@Suite(.tags(.sharedState)) struct PersistenceTests {
    enum Kind: String, CaseIterable { case memory, cache, files, defaults }

    let fixture: StorageFixture
    let suite = "PromisedSourcesTests-\(UUID().uuidString)"

    init() throws { fixture = try StorageFixture() }

    func storage(_ kind: Kind) -> any Persistence {
        switch kind {
        case .memory: MemoryPersistence(on: fixture.scheduler, now: fixture.now)
        case .cache: CachePersistence(.count(10), on: fixture.scheduler, now: fixture.now)
        case .files: fixture.files()
        case .defaults: UserDefaultsPersistence(suite: suite, on: fixture.scheduler, now: fixture.now)
        }
    }

    @Test(
        "SA-32: what is not found can be set; then it is found, not expired, and can be cleared",
        arguments: Kind.allCases)
    func model(_ kind: Kind) throws {
        let source = storage(kind).source(for: StorageKey<Int>("value", expiresAfter: .seconds(60)))
        let notFound = try #require(source.value.notFound)
        #expect(source.value.found == nil && notFound.error == nil)
        notFound.set(3)
        let found = try #require(source.value.found)
        #expect(found.value == 3 && !found.isExpired && found.error == nil && source.value.notFound == nil)
        #expect(source.value.set == notFound.set)
        found.clear()
        #expect(source.value.found == nil)
        // It is gated: what is not found cannot be cleared.
        var problems: [String] = []
        found.clear { problem in
            problems.append("\(problem)")
            return false
        }
        #expect(problems == ["the present model of its source does not offer it any more"])
    }

    @Test(
        "nothing waits for the expiry of a value that was removed",
        arguments: [Kind.memory, .cache, .defaults])
    func expiryOfRemoved(_ kind: Kind) {
        let source = storage(kind).source(for: StorageKey<Int>("value", expiresAfter: .seconds(60)))
        source.value.set(3)
        #expect(fixture.scheduler.pendingCount == 1)
        source.value.found?.clear()
        #expect(fixture.scheduler.pendingCount == 0)
    }

    @Test("equal names of different bytes are one key, also in a file's name", arguments: Kind.allCases)
    func equalNames(_ kind: Kind) {
        let storage = storage(kind)
        storage.set(3, for: StorageKey<Int>("caf\u{e9}"))
        let source = storage.source(for: StorageKey<Int>("cafe\u{301}"))
        #expect(source.value.found?.value == 3)
    }

    @Test("SA-55, SA-56, SA-57: all who ask for a key share one value", arguments: Kind.allCases)
    func shared(_ kind: Kind) {
        let storage = storage(kind)
        let (first, second) = (storage.source(for: .number), storage.source(for: .number))
        let seen = Seen<Int?>()
        let token = second.subscribe { seen.add($0.found?.value) }
        first.value.set(2)
        #expect(second.value.found?.value == 2 && first == second && seen.values == [nil, 2])
        token.cancel()
    }

    @Test(
        "SA-56, SA-57: an expired value is found, and its expiry is published when it is reached",
        arguments: Kind.allCases)
    func expiry(_ kind: Kind) {
        let key = StorageKey<Int>("value", expiresAfter: .seconds(60))
        let source = storage(kind).source(for: key)
        let seen = Seen<Bool?>()
        let token = source.subscribe { seen.add($0.found?.isExpired) }
        source.value.set(1)
        fixture.scheduler.advance(by: .seconds(59))
        source.value.set(2)
        fixture.scheduler.advance(by: .seconds(59))
        #expect(seen.values == [nil, false, false])
        fixture.scheduler.advance(by: .seconds(2))
        #expect(seen.values == [nil, false, false, true] && source.value.found?.value == 2)
        source.value.set(3)
        #expect(source.value.found?.isExpired == false)
        token.cancel()
    }

    @Test("a value is replaced as one step, if the present one is as expected", arguments: Kind.allCases)
    func replace(_ kind: Kind) async {
        let storage = storage(kind)
        #expect(!storage.replace(1, for: .number) { $0.found != nil })
        #expect(storage.source(for: .number).value.found == nil)
        let rounds = kind == .memory || kind == .cache ? 500 : 20
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<rounds {
                        // No source is kept, so most of them are made for this alone.
                        while true {
                            let present = storage.source(for: .number).value.found?.value
                            if storage.replace(
                                (present ?? 0) + 1, for: .number, if: { $0.found?.value == present })
                            {
                                break
                            }
                        }
                    }
                }
            }
        }
        #expect(storage.source(for: .number).value.found?.value == 4 * rounds)
    }

    @Test("sources are released with those who use them, and the value stays", arguments: Kind.allCases)
    func released(_ kind: Kind) {
        let storage = storage(kind)
        storage.set(1, for: .number)
        var actions = [storage.source(for: .number).value.set]
        #expect(storage.source(for: .number).value.found?.value == 1)
        var problems: [String] = []
        actions[0](2) { problem in
            problems.append("\(problem)")
            return false
        }
        actions = []
        #expect(problems == ["its source has been released"])
    }

    @Test("SA-55: a value in memory is set and cleared")
    func memory() {
        let source = MemoryPersistence().source(for: .number)
        #expect(source.value.found == nil)
        source.value.set(1)
        #expect(source.value.found?.value == 1)
        source.value.found?.clear()
        #expect(source.value.found == nil)
    }

    @Test("SA-57: a value in user defaults is there for the next program, with its date")
    func defaults() throws {
        let key = StorageKey<[String]>("names", expiresAfter: .seconds(60))
        let first = storage(.defaults)
        first.set(["Ada"], for: key)
        let found = try #require(storage(.defaults).source(for: key).value.found)
        #expect(found.value == ["Ada"] && !found.isExpired)
        fixture.scheduler.advance(by: .seconds(61))
        #expect(storage(.defaults).source(for: key).value.found?.isExpired == true)
        first.clear(key)
        #expect(storage(.defaults).source(for: key).value.found == nil)
    }

    @Test("SA-57: what something else has set is an error, or seen by refresh()")
    func defaultsChanged() throws {
        let defaults = UserDefaultsPersistence(suite: suite, on: fixture.scheduler, now: fixture.now)
        UserDefaults(suiteName: suite)?.set("text", forKey: "number.json")
        let source = defaults.source(for: .number)
        #expect(
            source.value.error.map { "\($0)" }
                == """
                The user default "number.json" could not be read: its data is not that of a value (another part of the \
                program has set it). It stays until a value is set; a file is kept even then, under another name beside it.
                """)
        storage(.defaults).set(4, for: .number)
        #expect(source.value.found == nil)
        defaults.refresh()
        #expect(source.value.found?.value == 4)
    }
}
