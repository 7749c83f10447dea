import Foundation
import Promise
import PromisedTesting
import Testing

@testable import PromisedSources

@Suite struct SyncedTests {
    typealias Note = NoteServer.Note

    let scheduler = TestScheduler()
    let server = NoteServer()
    let key = StorageKey<Note>("note")
    let active = ActiveSource()
    let memory: MemoryPersistence

    init() { memory = MemoryPersistence(on: scheduler) }

    private func synced() -> Source<Persistable<Note>> {
        memory.synced(key, with: server.storage, on: scheduler, isActive: active.eraseToSource())
    }

    private func setLocal(_ version: Int) { memory.set(Note(version: version), for: key) }

    @Test("SA-54: a newer value here is sent there, not the other way round")
    func localNewer() {
        setLocal(3)
        server.note.wrappedValue = Note(version: 2)
        let source = synced()
        scheduler.advance(by: .seconds(5))
        #expect(server.calls.values == ["get", "update 3 over 2"])
        #expect(source.value.found?.value.version == 3 && server.note.wrappedValue?.version == 3)
    }

    @Test("SA-54: a newer value there is stored here, at the start and when the program becomes active")
    func remoteNewer() {
        setLocal(3)
        server.note.wrappedValue = Note(version: 4)
        let source = synced()
        #expect(source.value.found?.value.version == 3)
        scheduler.advance(by: .seconds(5))
        #expect(
            source.value.found?.value.version == 4 && memory.source(for: key).value.found?.value.version == 4)
        server.note.wrappedValue = Note(version: 5)
        active.model = false
        scheduler.advance(by: .seconds(60))
        #expect(source.value.found?.value.version == 4)
        active.model = true
        scheduler.advance(by: .seconds(5))
        #expect(source.value.found?.value.version == 5 && server.calls.values == ["get", "get"])
    }

    @Test("SA-54: a value that is only here is created there, and a change is sent")
    func onlyHere() {
        setLocal(1)
        let source = synced()
        scheduler.advance(by: .seconds(5))
        source.value.set(Note(version: 2))
        #expect(source.value.found?.value.version == 2)
        scheduler.advance(by: .seconds(5))
        #expect(server.calls.values == ["get", "create 1", "get", "update 2 over 1"])
        #expect(server.note.wrappedValue?.version == 2)
    }

    @Test("SA-54: with nothing here, a failure is shown, and all is tried again later")
    func failure() {
        server.isOffline.wrappedValue = true
        let source = synced()
        #expect(source.value.notFound != nil && source.value.error == nil)
        scheduler.advance(by: .seconds(1))
        #expect(source.value.error is NoteServer.Offline)
        server.isOffline.wrappedValue = false
        server.note.wrappedValue = Note(version: 1)
        scheduler.advance(by: .seconds(29))
        #expect(server.calls.values == ["get"] && source.value.found == nil)
        scheduler.advance(by: .seconds(2))
        #expect(server.calls.values == ["get", "get"] && source.value.found?.value.version == 1)
        // With something here, it is not disturbed.
        server.isOffline.wrappedValue = true
        source.value.set(Note(version: 2))
        scheduler.advance(by: .seconds(5))
        #expect(source.value.found?.value.version == 2 && source.value.error == nil)
        server.isOffline.wrappedValue = false
        scheduler.advance(by: .seconds(40))
        #expect(server.note.wrappedValue?.version == 2)
    }

    @Test("SA-54: a value that is removed here is deleted there, and does not come back")
    func deleted() {
        setLocal(1)
        server.note.wrappedValue = Note(version: 1)
        let source = synced()
        scheduler.advance(by: .seconds(5))
        server.isOffline.wrappedValue = true
        source.value.found?.clear()
        scheduler.advance(by: .seconds(5))
        active.model = false
        active.model = true
        server.isOffline.wrappedValue = false
        let seen = Seen<Bool>()
        let token = source.subscribe { seen.add($0.found != nil) }
        scheduler.advance(by: .seconds(60))
        #expect(server.note.wrappedValue == nil && !seen.values.contains(true))
        #expect(server.calls.values.last == "delete 1")
        token.cancel()
    }

    @Test("SA-54: a deletion is not forgotten when the program ends before it is sent")
    func deletedAndEnded() {
        setLocal(1)
        server.note.wrappedValue = Note(version: 1)
        var source: Source? = synced()
        scheduler.advance(by: .seconds(5))
        server.isOffline.wrappedValue = true
        source?.value.found?.clear()
        scheduler.advance(by: .seconds(5))
        source = nil
        server.isOffline.wrappedValue = false
        let next = synced()
        scheduler.advance(by: .seconds(5))
        #expect(next.value.found == nil && server.note.wrappedValue == nil)
        // It is forgotten then: a value that others create is stored.
        server.note.wrappedValue = Note(version: 1)
        let last = synced()
        scheduler.advance(by: .seconds(5))
        #expect(last.value.found?.value.version == 1)
    }

    @Test("SA-54: a newer value of another device is stored although an older one was removed here")
    func changedElsewhere() {
        setLocal(1)
        server.note.wrappedValue = Note(version: 2)
        let source = synced()
        source.value.found?.clear()
        scheduler.advance(by: .seconds(5))
        #expect(source.value.found?.value.version == 2 && server.note.wrappedValue?.version == 2)
    }

    @Test("SA-54: it ends with its source")
    func released() {
        var source: Source? = synced()
        scheduler.advance(by: .milliseconds(500))
        source = nil
        scheduler.advance(by: .seconds(100))
        #expect(server.calls.values == ["get"] && source == nil && scheduler.pendingCount == 0)
    }
}
