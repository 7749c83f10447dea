import Foundation
import Promise
import TestSupport
import Testing

@testable import PromisedSources

/// A process that removes a synced value and is killed at each of its operations in turn.
@Suite(.tags(.sharedState), .ownThreads) struct KilledRemovalTests {
    private typealias Note = NoteServer.Note

    @Test(
        "SA-54: a removal that was stored when the process was killed is not undone, and no other value is lost"
    )
    func kills() async throws {
        // Those of an open, a removal, a value set over it, and what is known of the server.
        let points = isStress ? Array(1...50) : [1, 12, 20, 24, 27, 31, 36]
        for point in points {
            for (isOffline, next) in [(true, 0), (false, 0), (true, 1), (false, 9)] {
                try await round(killedAt: point, isOffline, next)
            }
        }
    }

    private func round(killedAt point: Int, _ isOffline: Bool, _ next: Int) async throws {
        let (folder, logs) = (try TemporaryFolder(), try TemporaryFolder())
        let key = StorageKey<Note>("note.json")
        let server = KilledServer(logs.path("server"))
        try server.set(Note(version: 5, text: "old"))
        let first = FilePersistence(folder: folder.url).synced(
            key, with: server.storage(false), on: .immediate)
        #expect(first.value.found?.text == "old")
        withExtendedLifetime(first) {}
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [
                paths = [folder.url.path, logs.url.path] as [String], point = point as Int,
                isOffline = isOffline as Bool, next = next as Int
            ] in
            let files = KillingFiles.storage(paths[0], at: point)
            let (log, key) = (try WorkLog(paths[1]), StorageKey<NoteServer.Note>("note.json"))
            let server = KilledServer(paths[1] + "/server")
            let source = files.synced(key, with: server.storage(isOffline), on: .immediate)
            source.value.found?.clear()
            try files.flush()
            try log.add("removed")
            if next > 0 {
                source.value.set(NoteServer.Note(version: next, text: "new"))
                try files.flush()
                try log.add("set")
            }
            kill(getpid(), SIGKILL)
        }
        let done = logs.text("log")?.split(separator: "\n").map(String.init) ?? []
        let again = FilePersistence(folder: folder.url).synced(
            key, with: server.storage(false), on: .immediate)
        let shown = again.value.found?.text
        let place = Comment(rawValue: "\(point), offline: \(isOffline), next: \(next), done: \(done)")
        #expect(shown == server.note?.text, place)
        let possible: [String?] =
            switch done.count {
            case 0: ["old", nil] + (next > 0 ? ["new"] : [])
            case 1: [nil] + (next > 0 ? ["new"] : [])
            default: ["new"]
            }
        #expect(possible.contains(shown), place)
    }
}

/// A server that outlives the processes: a file.
struct KilledServer: Sendable {
    private let path: String

    init(_ path: String) { self.path = path }

    var note: NoteServer.Note? {
        (try? Data(contentsOf: URL(filePath: path))).flatMap {
            try? JSONDecoder().decode(NoteServer.Note.self, from: $0)
        }
    }

    func set(_ note: NoteServer.Note?) throws {
        try (note.map { try JSONEncoder().encode($0) } ?? Data()).write(
            to: URL(filePath: path), options: .atomic)
    }

    func storage(_ isOffline: Bool) -> RemoteStorage<NoteServer.Note> {
        @Sendable func send<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) -> Promise<Value>
        {
            Promise { resolver in
                if isOffline { throw NoteServer.Offline() }
                resolver.fulfill(try body())
            }
        }
        @Sendable func change(_ new: NoteServer.Note?, over old: NoteServer.Note?) throws {
            guard note == old else { throw NoteServer.Conflict() }
            try set(new)
        }
        return RemoteStorage {
            send { note }
        } create: { new in
            send { try change(new, over: nil) }
        } update: { new, old in
            send { try change(new, over: old) }
        } delete: { old in
            send { try change(nil, over: old) }
        }
    }
}
