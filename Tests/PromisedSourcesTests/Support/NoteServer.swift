import Promise
import PromisedTesting

@testable import PromisedSources

/// A server that keeps one note, and answers when the test says so.
final class NoteServer: Sendable {
    struct Note: Versioned, Codable, Hashable { var version: Int, text = "" }
    struct Offline: Error {}
    struct Conflict: Error {}

    let note = Threadsafe<Note?>(wrappedValue: nil)
    let isOffline = Threadsafe(wrappedValue: false)
    let calls = Seen<String>()
    /// Called when a request arrives.
    let onCall = Threadsafe<(@Sendable (String) -> Void)?>(wrappedValue: nil)

    var storage: RemoteStorage<Note> {
        RemoteStorage { [self] in
            answer("get") { self.note.wrappedValue }
        } create: { [self] new in
            answer("create \(new.version)") { try self.set(new, over: nil) }
        } update: { [self] new, old in
            answer("update \(new.version) over \(old.version)") { try self.set(new, over: old) }
        } delete: { [self] old in
            answer("delete \(old.version)") { try self.set(nil, over: old) }
        }
    }

    private func set(_ new: Note?, over old: Note?) throws {
        guard note.wrappedValue?.version == old?.version else { throw Conflict() }
        note.wrappedValue = new
    }

    private func answer<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable () throws -> Value
    ) -> Promise<Value> {
        Promise { [self] resolver in
            calls.add(name)
            onCall.wrappedValue?(name)
            if isOffline.wrappedValue { throw Offline() }
            resolver.fulfill(try body())
        }.delay(.seconds(1))
    }
}
