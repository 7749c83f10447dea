import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

/// What happens while the last source of a file is released.
@Suite(.tags(.sharedState)) struct ReleaseTests {
    let fixture: StorageFixture
    private var folder: TemporaryFolder { fixture.folder }

    init() throws { fixture = try StorageFixture() }

    @Test(
        "a file is written beside the other, synced and renamed, and its folder is synced; then nothing is left to do"
    )
    func steps() throws {
        let operations = FaultyFiles()
        let files = fixture.files(operations)
        files.set(1, for: .number)
        #expect(
            operations.names == [
                "read", "names", "status", "status", "create", "write", "setDate", "sync", "rename",
                "syncFolder",
                "status",
            ])
        operations.plan(nil, at: 0)
        files.clear(.number)
        #expect(operations.names == ["read", "status", "remove", "syncFolder"])
        operations.plan(nil, at: 0)
        try files.flush()
        #expect(operations.names == [])
    }

    @Test("who asks for a value while its last source is being released gets the value that is being written")
    func handedOver() throws {
        let operations = FaultyFiles()
        let files = fixture.files(operations)
        files.set(1, for: .number)
        let next = Seen<Source<Persistable<Int>>>()
        operations.onOperation { name in
            if name == "create", next.values.isEmpty { next.add(files.source(for: .number)) }
            if name == "write" { #expect(next.values.first?.value.found?.value == 2) }
        }
        files.set(2, for: .number)
        operations.onOperation(nil)
        let source = try #require(next.values.first)
        #expect(source.value.found?.value == 2 && folder.text("number.json") == "2\n" && files.count == 1)
        source.value.set(3)
        #expect(files.source(for: .number) == source && folder.text("number.json") == "2\n")
        fixture.scheduler.advance(by: .milliseconds(300))
        #expect(folder.text("number.json") == "3\n")
    }

    @Test("a value that is set while the last source is released is written at once")
    func setDuringRelease() throws {
        let table = StorageTable()
        let timing = StorageTiming(scheduler: fixture.scheduler, pause: .seconds(1), now: fixture.now)
        let replacement = FileReplacement(files: SystemFiles(), folder: folder.url.path)
        var handle: StorageHandle<Int>? = table.handle(for: "number.json") {
            let slot = FileSlot<Int>(folder.path("number.json"), .json, replacement, maximumSize: 100) {}
            return StoredSource(slot, timing, expiresAfter: nil)
        }
        // As a call of an action on another thread does.
        let source = handle?.source
        handle = nil
        #expect(table.count == 0)
        source?.model.set(1)
        #expect(folder.text("number.json") == "1\n")
    }

    @Test("what is read while there are changes to write does not take their place")
    func readWhileWriting() throws {
        let timing = StorageTiming(scheduler: fixture.scheduler, pause: .seconds(1), now: fixture.now)
        let replacement = FileReplacement(files: SystemFiles(), folder: folder.url.path)
        let slot = FileSlot<Int>(folder.path("number.json"), .json, replacement, maximumSize: 100) {}
        let source = StoredSource(slot, timing, expiresAfter: nil)
        source.isInUse = true
        source.model.set(1)
        source.flush()
        source.model.set(2)
        source.reload()
        #expect(source.model.found?.value == 2 && folder.text("number.json") == "1\n")
        source.flush()
        source.reload()
        #expect(source.model.found?.value == 2 && folder.text("number.json") == "2\n")
    }

    @Test("a change that does not take place after all writes nothing: a file that can't be read stays")
    func cancelled() throws {
        try folder.write("x", to: "number.json")
        let files = fixture.files()
        let calls = Threadsafe(wrappedValue: 0)
        let isSet = files.replace(1, for: .number) { _ in
            calls.wrappedValue += 1
            return calls.wrappedValue == 1
        }
        try files.flush()
        #expect(!isSet && calls.wrappedValue == 2 && folder.text("number.json") == "x")
    }

    @Test("a change that does not take place after all leaves the date of the value that waits to be written")
    func cancelledDate() throws {
        let files = fixture.files()
        let source = files.source(for: .number)
        let date = fixture.now()
        source.value.set(1)
        fixture.scheduler.advance(by: .milliseconds(100))
        let calls = Threadsafe(wrappedValue: 0)
        files.replace(2, for: .number) { _ in
            calls.wrappedValue += 1
            return calls.wrappedValue == 1
        }
        fixture.scheduler.advance(by: .milliseconds(200))
        #expect(folder.text("number.json") == "1\n")
        #expect(try SystemFiles().status(of: folder.path("number.json"))?.date == date)
    }

    @Test("each change has a revision of its own, so that a value that is set again is another one")
    func revisions() throws {
        let files = fixture.files()
        let source = files.source(for: .number)
        let first = source.value.revision
        source.value.set(1)
        source.value.found?.clear()
        #expect(source.value.revision == first + 2)
        try files.flush()
        try folder.write("5\n", to: "number.json")
        files.refresh()
        #expect(source.value.found?.value == 5 && source.value.revision == first + 3)
    }

    @Test("the timers of a released source are cancelled")
    func timers() {
        let key = StorageKey<Int>("number.json", expiresAfter: .seconds(1_000))
        fixture.files().set(1, for: key)
        let files = fixture.files()
        for _ in 1...10 { #expect(files.source(for: key).value.found?.value == 1) }
        #expect(fixture.scheduler.pendingCount == 0)
    }
}
