import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

/// What is removed stays removed, and nothing else goes with it.
@Suite(.tags(.sharedState)) struct SyncedRemovalTests {
    typealias Note = NoteServer.Note

    let fixture: StorageFixture
    let server = NoteServer()
    let key = StorageKey<Note>("note.json")

    init() throws { fixture = try StorageFixture() }

    private func synced(_ files: FilePersistence) -> Source<Persistable<Note>> {
        files.synced(key, with: server.storage, on: fixture.scheduler)
    }

    /// Syncs for some time in a process that ends.
    private func sync() {
        let source = synced(fixture.files())
        advance()
        withExtendedLifetime(source) {}
    }

    private func advance() { fixture.scheduler.advance(by: .seconds(5)) }

    private var stored: Note? { fixture.stored(key).found?.value }

    @Test(
        "SA-54: a value that is set over a removal takes the place of what was removed",
        arguments: [1, 2, 3, 4])
    func setOverRemoval(_ version: Int) throws {
        for isOffline in [true, false] {
            server.note.wrappedValue = Note(version: 3, text: "old")
            let source = synced(fixture.files())
            advance()
            #expect(source.value.found?.text == "old")
            server.isOffline.wrappedValue = isOffline
            source.value.found?.clear()
            if isOffline { advance() }
            source.value.set(Note(version: version, text: "new"))
            advance()
            server.isOffline.wrappedValue = false
            fixture.scheduler.advance(by: .seconds(60))
            #expect(
                source.value.found?.text == "new" && server.note.wrappedValue?.text == "new", "\(isOffline)")
            source.value.found?.clear()
            advance()
            #expect(server.note.wrappedValue == nil && source.value.found == nil, "\(isOffline)")
        }
    }

    @Test(
        "SA-54: what the server is asked to change has been written here before, though files are written later"
    )
    func writtenFirst() throws {
        let disk = Seen<String>()
        server.onCall.wrappedValue = { [folder = fixture.folder] request in
            disk.add("\(request): \(folder.data("note.json") == nil ? "no file" : "file")")
        }
        let source = synced(fixture.files(pause: .seconds(600)))
        advance()
        source.value.set(Note(version: 1))
        advance()
        source.value.found?.clear()
        advance()
        #expect(disk.values.filter { !$0.hasPrefix("get") } == ["create 1: file", "delete 1: no file"])
    }

    @Test("SA-54: a value that is removed while it is not synced stays removed")
    func removedWhileNotSynced() {
        server.note.wrappedValue = Note(version: 2)
        sync()
        #expect(stored?.version == 2)
        fixture.files().clear(key)
        let source = synced(fixture.files())
        let seen = Seen<Int?>()
        let token = source.subscribe { seen.add($0.found?.value.version) }
        advance()
        #expect(!seen.values.contains(2) && server.note.wrappedValue == nil && stored == nil)
        token.cancel()
    }

    @Test(
        "SA-54: a deletion made elsewhere is not undone, at the next start and when the program becomes active"
    )
    func deletedElsewhere() {
        for isRunning in [true, false] {
            server.note.wrappedValue = Note(version: 2)
            let active = ActiveSource()
            let source = fixture.files().synced(
                key, with: server.storage, on: fixture.scheduler, isActive: active.eraseToSource())
            advance()
            #expect(source.value.found?.value.version == 2)
            server.note.wrappedValue = nil
            if isRunning {
                active.model = false
                active.model = true
                advance()
            } else {
                sync()
            }
            #expect(server.note.wrappedValue == nil && stored == nil, "\(isRunning)")
            #expect(isRunning ? source.value.found == nil : true)
            // It is forgotten: others may begin from the start.
            server.note.wrappedValue = Note(version: 1)
            sync()
            #expect(stored?.version == 1, "\(isRunning)")
            server.note.wrappedValue = nil
            sync()
        }
    }

    @Test(
        "SA-54: a removal that was noted and not written does not undo a deletion made elsewhere",
        arguments: [false, true])
    func notedOnly(isDeletedElsewhere: Bool) {
        let removed = Note(version: 2, text: "removed")
        fixture.files().set(removed, for: key)
        fixture.files().set(SyncRecord(kind: .removed, value: removed), for: SyncRecord.key(key))
        server.note.wrappedValue = isDeletedElsewhere ? nil : removed
        sync()
        #expect(stored == server.note.wrappedValue && (stored == nil) == isDeletedElsewhere)
    }

    @Test("SA-54: a value that was changed here since is kept when an older one is deleted elsewhere")
    func deletedAndChanged() {
        server.note.wrappedValue = Note(version: 2)
        sync()
        server.note.wrappedValue = nil
        fixture.files().set(Note(version: 3), for: key)
        sync()
        #expect(server.note.wrappedValue?.version == 3 && stored?.version == 3)
    }

    @Test("SA-54: a value whose creation has failed is not taken for one that was deleted elsewhere")
    func failedCreation() {
        let source = synced(fixture.files())
        advance()
        source.value.set(Note(version: 1))
        fixture.scheduler.advance(by: .milliseconds(500))
        // Its creation, which follows the answer, does not arrive.
        server.isOffline.wrappedValue = true
        advance()
        #expect(server.calls.values.last == "create 1" && server.note.wrappedValue == nil)
        server.isOffline.wrappedValue = false
        fixture.scheduler.advance(by: .seconds(100))
        #expect(source.value.found?.value.version == 1 && server.note.wrappedValue?.version == 1)
    }

    @Test("SA-54: a value that can't be read is not one that was removed", arguments: ["", "{", "[1]"])
    func unreadable(_ text: String) throws {
        server.note.wrappedValue = Note(version: 2)
        sync()
        try fixture.folder.write(text, to: "note.json")
        sync()
        #expect(server.note.wrappedValue?.version == 2 && stored?.version == 2)
        // Also if it becomes so while it is used.
        let files = fixture.files()
        let source = synced(files)
        advance()
        try fixture.folder.write(text, to: "note.json")
        files.refresh()
        advance()
        #expect(server.note.wrappedValue?.version == 2 && source.value.found?.value.version == 2)
        #expect(fixture.folder.text("note.json.damaged-1") == text)
    }

    @Test(
        "SA-54: what is known of the server is stored before each request, after the value and before a removal"
    )
    func order() throws {
        let files = fixture.files()
        let source = synced(files)
        let written = Seen<String>()
        let folder = fixture.folder
        let note: @Sendable (String) -> Void = { name in
            let record = folder.text("note.json.synced")?.prefix { $0 != "\n" } ?? "-"
            written.add("\(name): \(folder.text("note.json") == nil ? "-" : "value") \(record)")
        }
        server.onCall.wrappedValue = note
        source.value.set(Note(version: 1))
        advance()
        source.value.set(Note(version: 2))
        advance()
        source.value.found?.clear()
        note("cleared")
        advance()
        note("over")
        #expect(
            written.values == [
                "get: - -", "create 1: value sent", "get: value seen", "update 2 over 1: value sent",
                "cleared: value removed", "get: value removed", "delete 2: - removed", "over: - -",
            ])
    }

    @Test(
        "SA-54: a removal that stops at any operation is finished or undone as a whole",
        arguments: [nil, 1, 3])
    func everyOperation(_ next: Int?) throws {
        // What a stopped process could not write.
        Reports.begin()
        var number = 1
        while true {
            let fixture = try StorageFixture()
            let server = NoteServer()
            let operations = FaultyFiles()
            let files = fixture.files(operations)
            var source: Source? = files.synced(key, with: server.storage, on: fixture.scheduler)
            source?.value.set(Note(version: 2, text: "old"))
            fixture.scheduler.advance(by: .seconds(5))
            server.isOffline.wrappedValue = true
            operations.plan(.stop, at: number)
            source?.value.found?.clear()
            if let next { source?.value.set(Note(version: next, text: "new")) }
            let isStored = (try? files.flush()) != nil
            guard operations.hasStruck else { break }
            source = nil

            let isThere = fixture.stored(key).found?.text
            server.isOffline.wrappedValue = false
            let again = fixture.files().synced(key, with: server.storage, on: fixture.scheduler)
            fixture.scheduler.advance(by: .seconds(60))
            let expected = isThere ?? (next == nil || !isStored ? nil : "new")
            #expect(again.value.found?.text == expected, "\(number)")
            #expect(server.note.wrappedValue?.text == expected, "\(number)")
            if isStored { #expect(expected == next.map { _ in "new" }, "\(number)") }
            operations.plan(nil, at: 0)
            number += 1
        }
        #expect(number > 8)
    }
}
