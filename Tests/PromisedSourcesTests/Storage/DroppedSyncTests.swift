import Promise
import PromisedTesting
import Testing

@testable import PromisedSources

/// What a cache drops is not removed from the server.
@Suite struct DroppedSyncTests {
    typealias Note = NoteServer.Note

    let scheduler = TestScheduler()
    let server = NoteServer()
    let key = StorageKey<Note>("note")

    private func advance() { scheduler.advance(by: .seconds(100)) }

    /// A cache with room for the record of a value, which is not dropped, and for one value.
    private func cache() -> CachePersistence { CachePersistence(.count(2), on: scheduler) }

    @Test(
        "SA-54: a synced value that is dropped for another one stays on the server", arguments: [true, false])
    func dropped(_ isSent: Bool) {
        let (cache, isActive) = (cache(), ActiveSource())
        server.note.wrappedValue = Note(version: 3, text: "theirs")
        let source = cache.synced(
            key, with: server.storage, on: scheduler, isActive: isActive.eraseToSource())
        advance()
        #expect(source.value.found?.version == 3)
        if !isSent { source.value.set(Note(version: 4, text: "mine")) }
        for name in ["a", "b", "c"] { cache.set(name, for: StorageKey<String>(name)) }
        #expect(source.value.found == nil)
        advance()
        #expect(!server.calls.values.contains { $0.hasPrefix("delete") })
        #expect(server.note.wrappedValue != nil)
        let count = server.calls.values.count
        scheduler.advance(by: .seconds(10_000))
        #expect(server.calls.values.count == count)
        // It is got at the next look.
        isActive.model = false
        isActive.model = true
        advance()
        #expect(source.value.found?.value == server.note.wrappedValue && source.value.found != nil)
        // And what is removed after that is deleted.
        source.value.found?.clear()
        advance()
        #expect(source.value.found == nil && server.note.wrappedValue == nil)
    }

    @Test(
        "SA-54: a value for which a cache has no room deletes nothing on the server",
        arguments: [true, false])
    func tooLarge(_ isTheirs: Bool) {
        let cache = CachePersistence(.count(isTheirs ? 0 : 2), on: scheduler)
        server.note.wrappedValue = Note(version: 1)
        let source = cache.synced(key, with: server.storage, on: scheduler)
        advance()
        if !isTheirs {
            #expect(source.value.found?.version == 1)
            cache.options = .count(0)
            source.value.set(Note(version: 2))
        }
        scheduler.advance(by: .seconds(10_000))
        #expect(source.value.found == nil && server.note.wrappedValue != nil)
        #expect(server.calls.values.count < 10 && !server.calls.values.contains { $0.hasPrefix("delete") })
    }
}
