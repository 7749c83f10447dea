import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

/// What is not there, from the future, of other makers, empty, or large.
@Suite(.tags(.sharedState)) struct StoredOddlyTests {
    let fixture: StorageFixture
    private var folder: TemporaryFolder { fixture.folder }
    private let suite = "StoredOddlyTests-\(UUID().uuidString)"

    init() throws { fixture = try StorageFixture() }

    @Test(
        "what was never written is cleared without an error, with and without a folder",
        arguments: [true, false])
    func neverWritten(_ hasFolder: Bool) throws {
        Reports.begin()
        if !hasFolder { try FileManager.default.removeItem(at: folder.url) }
        let name = "never-\(UUID().uuidString)"
        let files = fixture.files()
        let source = files.source(for: StorageKey<Int>(name))
        source.value.set(1)
        source.value.found?.clear()
        try files.flush()
        #expect(source.value.error == nil && source.value.found == nil)
        files.set(2, for: .number)
        files.clear(.number)
        files.clear(.number)
        #expect(Reports.about(folder.url.lastPathComponent).isEmpty)
        // A removal that did not reach the disk is done once more.
        files.set(3, for: .number)
        #expect(FileManager.default.fileExists(atPath: folder.path("number.json")))
    }

    @Test("a removal whose folder could not be synced is tried again")
    func unsyncedRemoval() throws {
        let operations = FaultyFiles()
        let files = fixture.files(operations)
        let source = files.source(for: .number)
        source.value.set(1)
        try files.flush()
        source.value.found?.clear()
        operations.plan(.error(EIO), at: 3)
        #expect(throws: StorageError.self) { try files.flush() }
        #expect(operations.names.last == "syncFolder")
        operations.plan(nil, at: 0)
        try files.flush()
        #expect(operations.names.suffix(2) == ["remove", "syncFolder"] && source.value.error == nil)
    }

    @Test("a date in user defaults that another part of the program has set is read, and stays a date")
    func dateOfOthers() throws {
        let defaults = try #require(UserDefaults(suiteName: suite))
        defer { defaults.removePersistentDomain(forName: suite) }
        let key = StorageKey<Date>("date", expiresAfter: .seconds(60))
        let (first, second) = (Date(timeIntervalSince1970: 1.25), Date(timeIntervalSince1970: 1e9 + 0.1))
        defaults.set(first, forKey: "date")
        let storage = UserDefaultsPersistence(suite: suite, on: fixture.scheduler, now: fixture.now)
        let source = storage.source(for: key)
        #expect(source.value.found?.value == first && source.value.found?.isExpired == true)
        source.value.set(second)
        #expect(UserDefaults(suiteName: suite)?.object(forKey: "date") as? Date == second)
        try storage.update(first, for: key) { $0 += 1 }
        #expect(UserDefaults(suiteName: suite)?.object(forKey: "date") as? Date == second + 1)
        #expect(source.value.found?.value == second + 1)
        source.value.found?.clear()
        #expect(UserDefaults(suiteName: suite)?.object(forKey: "date") == nil)
    }

    @Test("a date to come is no reason for a value to be fresh", arguments: PersistenceTests.Kind.allCases)
    func future(_ kind: PersistenceTests.Kind) throws {
        let key = StorageKey<Int>("value", expiresAfter: .seconds(60))
        let date = Threadsafe(wrappedValue: fixture.now().addingTimeInterval(3_600))
        func storage() -> any Persistence {
            switch kind {
            case .memory: MemoryPersistence(on: fixture.scheduler) { date.wrappedValue }
            case .cache: CachePersistence(.count(3), on: fixture.scheduler) { date.wrappedValue }
            case .files: FilePersistence(folder: folder.url, on: fixture.scheduler) { date.wrappedValue }
            case .defaults: UserDefaultsPersistence(suite: suite, on: fixture.scheduler) { date.wrappedValue }
            }
        }
        let first = storage()
        let source = first.source(for: key)
        source.value.set(1)
        try first.flush()
        #expect(source.value.found?.isExpired == false)
        // The clock is set right.
        date.wrappedValue = fixture.now()
        fixture.scheduler.advance(by: .seconds(61))
        #expect(source.value.found?.isExpired == true)
        if kind == .files || kind == .defaults {
            #expect(storage().source(for: key).value.found?.isExpired == true)
        }
    }

    @Test("what a killed process has left is removed, also with a date to come")
    func strayOfTheFuture() throws {
        let name = ".1\(FileReplacement.ending)"
        try folder.write("half", to: name)
        try FileManager.default.setAttributes(
            [.modificationDate: fixture.now().addingTimeInterval(90_000)], ofItemAtPath: folder.path(name))
        fixture.files().set(1, for: .number)
        #expect(folder.names == ["number.json"])
    }

    @Test("user defaults of other parts of the program are read, and stay what they are when they are set")
    func defaults() throws {
        let defaults = try #require(UserDefaults(suiteName: suite))
        func check<Value: Codable & Equatable & Sendable>(_ object: Any, _ value: Value, _ next: Value) {
            defaults.set(object, forKey: "value")
            let storage = UserDefaultsPersistence(suite: suite, on: fixture.scheduler, now: fixture.now)
            let source = storage.source(for: StorageKey<Value>("value", expiresAfter: .seconds(60)))
            #expect(source.value.found?.value == value && source.value.error == nil, "\(value)")
            #expect(source.value.found?.isExpired == true)
            source.value.set(next)
            #expect(source.value.found?.value == next && source.value.error == nil)
            // Not as this module would store it.
            #expect(defaults.dictionary(forKey: "value")?["date"] == nil)
            #expect(
                UserDefaultsPersistence(suite: suite).source(for: StorageKey<Value>("value")).value.found?
                    .value == next)
            storage.refresh()
            #expect(source.value.found?.value == next)
            #expect(defaults.object(forKey: "value.damaged-1") == nil)
        }
        enum Theme: String, Codable { case light, dark }
        check(true, true, false)
        check(7, 7, 8)
        check(1.5, 1.5, -2)
        check("text", "text", "a \"b\"")
        check("light", Theme.light, .dark)
        check(["a", "b"], ["a", "b"], [])
        check(["a": 1], ["a": 1], ["b": 2])
        defaults.set("words", forKey: "text")
        let text = UserDefaultsPersistence(suite: suite).source(for: StorageKey<String>("text"))
        text.value.set("more words")
        #expect(defaults.string(forKey: "text") == "more words")
        // Data is decoded as the key does it.
        defaults.set(Data("[1]".utf8), forKey: "numbers")
        let numbers = UserDefaultsPersistence(suite: suite).source(for: StorageKey<[Int]>("numbers"))
        #expect(numbers.value.found?.value == [1])
        numbers.value.set([2])
        #expect(defaults.data(forKey: "numbers") == Data("[2]".utf8))
        defaults.set(Data([1, 2]), forKey: "data")
        let data = UserDefaultsPersistence(suite: suite).source(for: StorageKey<Data>("data"))
        #expect(data.value.found?.value == Data([1, 2]))
    }

    @Test("user defaults that can't be read are kept under another name when a value is set")
    func keptDefaults() throws {
        let defaults = try #require(UserDefaults(suiteName: suite))
        for (number, object)
            in (["text", Data("{".utf8), ["data": Data("{".utf8), "date": Date()]] as [Any]).enumerated()
        {
            defaults.set(object, forKey: "number.json")
            let source = UserDefaultsPersistence(suite: suite).source(for: .number)
            #expect(source.value.error is StorageError)
            source.value.set(3)
            #expect(source.value.found?.value == 3)
            #expect(UserDefaultsPersistence(suite: suite).source(for: .number).value.found?.value == 3)
            #expect(defaults.object(forKey: "number.json.damaged-\(number + 1)") != nil)
        }
    }

    @Test("an empty file is an error that says so, and the value of a key that has empty values")
    func empty() throws {
        try folder.write(Data(), to: "number.json")
        let error = try #require(fixture.stored(.number).error)
        #expect("\(error)".contains("(it is empty)"))
        try folder.write(Data(), to: "data")
        #expect(fixture.stored(StorageKey<Data>("data")).found?.value == Data())
        fixture.files().set("", for: StorageKey<String>("text"))
        #expect(fixture.stored(StorageKey<String>("text")).found?.value == "")
    }

    @Test("data, texts and collections count with their contents in a cache with a limit")
    func sizes() {
        let key = "value"
        func size<Value: Sendable>(_ value: Value) -> Int {
            let cache = CachePersistence(.size(1 << 30), on: fixture.scheduler)
            cache.set(value, for: StorageKey<Value>(key, coder: .none))
            return cache.totalSize
        }
        let text = String(repeating: "x", count: 100)
        #expect(size(Data(count: 100)) == 100 + MemoryLayout<Data>.stride)
        #expect(size(text) == 116 && size(text[...]) == 132)
        #expect(size([UInt64](repeating: 0, count: 10)) == 88)
        #expect(size([text, text]) == 8 + 2 * 116)
        #expect(size([[text]]) == 8 + 8 + 116)
        #expect(size(["a": text]) == 8 + 17 + 116)
        #expect(size(Set([text])) == 124)
        #expect(size(Optional(text)) == 116)
        #expect(size(7) == 8)
        let cache = CachePersistence(.size(1 << 20), on: fixture.scheduler)
        for number in 1...100 { cache.set(Data(count: 1 << 17), for: StorageKey<Data>("\(number)")) }
        #expect(cache.count == 7 && cache.totalSize <= 1 << 20)
        cache.set(Data(count: 1 << 21), for: StorageKey<Data>("large"))
        #expect(cache.count == 7)
    }
}
