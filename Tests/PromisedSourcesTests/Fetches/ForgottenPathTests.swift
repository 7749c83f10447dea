import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

/// What is only in the storage when its path is forgotten.
@Suite struct ForgottenPathTests {
    let server = CityServer()

    struct RowKey: FetchKey {
        let path: [String]
        var storageKey: StorageKey<String>? { StorageKey(path.joined(separator: "-")) }
        func fetch(from server: CityServer) -> Promise<String> { server.answer(path.joined()) }
    }

    struct Rename: StoredChange {
        static let name = "rename"
        let text: String
        var values: [ValueChange<CityServer, String>] { [ValueChange(RowKey(path: ["a", "b"]))] }
        func send(to server: CityServer) -> Promise<String> { server.answer(text) }
    }

    static let rows = [["a"], ["a", "b"], ["ab"], ["c", "a"]]

    private func fetches(_ persistence: some Persistence, isOnline: Bool = true) -> Fetches<CityServer> {
        Fetches(
            from: server, on: server.scheduler, isOnline: .constant(isOnline),
            storage: FetchStorage(persistence, version: "1") { .distantPast })
    }

    /// The rows whose values are there at once.
    private func present(_ fetches: Fetches<CityServer>) -> [[String]] {
        Self.rows.filter { row in
            let observer = server.observe(fetches.source(RowKey(path: row)))
            defer { observer.end() }
            return observer.take().first != "…"
        }
    }

    private func store(_ fetches: Fetches<CityServer>) {
        for row in Self.rows { fetches.set("stored", for: RowKey(path: row)) }
        server.scheduler.advance()
    }

    @Test(
        "a stored value is forgotten with its path, whether its key is in use or not",
        arguments: [[], ["a"], ["a", "b"], ["a", "c"], ["c"]], ["remove", "clear"])
    func forgotten(path: [String], call: String) throws {
        let folder = try TemporaryFolder()
        let files = { FilePersistence(folder: folder.url, on: server.scheduler) }
        store(fetches(files()))
        let second = fetches(files())
        if call == "remove" { second.remove(under: path) } else { second.clear(under: path) }
        server.scheduler.advance()
        let expected = Self.rows.filter { !$0.starts(with: path) }
        #expect(present(second) == expected && present(fetches(files())) == expected)
    }

    @Test("what is stored after its path was forgotten is there the next time, also beside another path")
    func storedAgain() {
        let memory = MemoryPersistence(on: server.scheduler)
        let first = fetches(memory)
        store(first)
        for path in [["a", "b"], ["c"], ["a"]] { first.remove(under: path) }
        server.scheduler.advance()
        #expect(present(fetches(memory)) == [["ab"]])
        store(first)
        #expect(present(fetches(memory)) == Self.rows)
        first.remove(under: ["c"])
        server.scheduler.advance()
        #expect(present(fetches(memory)) == Array(Self.rows.prefix(3)))
    }

    @Test(
        "changes of another run are forgotten with their paths", arguments: [[], ["a"], ["c"]], [false, true])
    func changes(path: [String], isResumed: Bool) {
        let memory = MemoryPersistence(on: server.scheduler)
        do {
            let first = fetches(memory, isOnline: false)
            first.change(Rename(text: "old")).catch { _ in }
            server.scheduler.advance()
        }
        let second = fetches(memory)
        if isResumed { second.resume([Rename.self]) }
        second.clear(under: path)
        server.scheduler.advance()
        _ = server.takeLog()
        second.change(Rename(text: "new")).catch { _ in }
        second.resume([Rename.self])
        server.scheduler.advance(by: .seconds(3))
        let isForgotten = path != ["c"] || isResumed
        #expect(server.takeLog().filter { $0 != "ab" } == (isForgotten ? ["new"] : ["new", "old"]))
    }
}
