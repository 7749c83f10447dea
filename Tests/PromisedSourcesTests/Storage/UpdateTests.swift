import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

/// Changes as one step, by two storages of one folder, which are two processes to each other.
@Suite(.tags(.sharedState)) struct UpdateTests {
    let fixture: StorageFixture
    private var folder: TemporaryFolder { fixture.folder }

    init() throws { fixture = try StorageFixture() }

    @Test("a condition is asked of what another process has stored, not of what was read before")
    func condition() throws {
        let (mine, theirs) = (fixture.files(), fixture.files())
        let source = mine.source(for: .number)
        #expect(source.value.found == nil)
        theirs.set(1, for: .number)
        #expect(!mine.replace(2, for: .number) { $0.found == nil })
        #expect(source.value.found?.value == 1 && fixture.stored(.number).found?.value == 1)
        #expect(mine.replace(2, for: .number) { $0.found?.value == 1 })
        // Stored when it returns.
        #expect(source.value.found?.value == 2 && folder.text("number.json") == "2\n")
        #expect(!mine.clear(.number) { $0.found?.value == 1 })
        #expect(mine.clear(.number) { $0.found?.value == 2 } && folder.names == [])
        #expect(!mine.clear(.number) { _ in true } && source.value.found == nil)
    }

    @Test(
        "a change by something else between the condition and the write is not lost, in every storage",
        arguments: PersistenceTests.Kind.allCases, [false, true])
    func between(_ kind: PersistenceTests.Kind, isRemoval: Bool) throws {
        let tests = try PersistenceTests()
        let mine = tests.storage(kind)
        // What is in memory is that of one storage.
        let theirs = [.memory, .cache].contains(kind) ? mine : tests.storage(kind)
        mine.set(1, for: .number)
        let source = mine.source(for: .number)
        var asked: [Int?] = []
        func isOne(_ present: Persistable<Int>) -> Bool {
            asked.append(present.found?.value)
            if asked.count == 2 { theirs.set(5, for: .number) }
            return present.found?.value == 1
        }
        #expect(!(isRemoval ? mine.clear(.number, if: isOne) : mine.replace(10, for: .number, if: isOne)))
        #expect(asked == [1, 1, 5] && source.value.found?.value == 5)
        #expect(theirs.source(for: .number).value.found?.value == 5)
    }

    @Test("a value that waits to be written is written first, or makes way for a later one")
    func pending() throws {
        let (mine, theirs) = (fixture.files(), fixture.files())
        let source = mine.source(for: .number)
        source.value.set(1)
        try mine.update(0, for: .number) { $0 += 1 }
        #expect(fixture.stored(.number).found?.value == 2)
        source.value.set(3)
        fixture.scheduler.advance(by: .milliseconds(100))
        theirs.set(7, for: .number)
        try mine.update(0, for: .number) { $0 += 1 }
        #expect(source.value.found?.value == 8 && fixture.stored(.number).found?.value == 8)
    }

    @Test("an update begins with the initial value, and returns what its body has returned")
    func initial() throws {
        struct Refused: Error {}
        let files = fixture.files()
        let seen = try files.update(["a"], for: StorageKey<[String]>("names")) { names in
            names.append("b")
            return names.count
        }
        #expect(seen == 2 && fixture.stored(StorageKey<[String]>("names")).found?.value == ["a", "b"])
        #expect(throws: Refused.self) {
            try files.update([], for: StorageKey<[String]>("names")) { names in
                names = []
                throw Refused()
            }
        }
        #expect(fixture.stored(StorageKey<[String]>("names")).found?.value == ["a", "b"])
    }

    @Test("what can't be read is not taken for nothing, and what can't be written is an error")
    func refused() throws {
        try folder.write("x", to: "number.json")
        #expect(throws: StorageError.self) { try fixture.files().update(0, for: .number) { $0 += 1 } }
        #expect(folder.text("number.json") == "x" && folder.names == ["number.json"])
        let operations = FaultyFiles()
        let files = fixture.files(operations)
        let source = files.source(for: .document)
        for name in ["create", "write", "sync", "rename"] {
            operations.plan(nil, at: 0)
            try files.update(Document(0), for: .document) { $0 = Document(1) }
            let number = try #require(operations.names.firstIndex(of: name)) + 1
            operations.plan(.error(ENOSPC), at: number)
            #expect(throws: StorageError.self, "\(name)") {
                try files.update(Document(0), for: .document) { $0 = Document(2) }
            }
            #expect(fixture.stored(.document).found?.value == Document(1), "\(name)")
            #expect(source.value.found?.value == Document(1) && source.value.error != nil, "\(name)")
        }
    }

    @Test(
        "what could not be read, and can be now, is updated, replaced and cleared, also while it is shown",
        arguments: ["update", "replace", "clear"], [true, false])
    func mended(_ act: String, _ isFolder: Bool) throws {
        let files = fixture.files()
        if isFolder {
            try FileManager.default.createDirectory(
                atPath: folder.path("number.json"), withIntermediateDirectories: true)
        } else {
            try folder.write("x", to: "number.json")
        }
        let source = files.source(for: .number)
        #expect(source.value.notFound?.error != nil)
        #expect(throws: StorageError.self) { try files.update(0, for: .number) { $0 += 1 } }
        try FileManager.default.removeItem(atPath: folder.path("number.json"))
        try folder.write("5\n", to: "number.json")
        switch act {
        case "update": try files.update(0, for: .number) { $0 += 1 }
        case "replace": #expect(files.replace(6, for: .number) { $0.found?.value == 5 })
        default: #expect(files.clear(.number) { $0.found?.value == 5 })
        }
        #expect(source.value.found?.value == (act == "clear" ? nil : 6))
        #expect(folder.text("number.json") == (act == "clear" ? nil : "6\n"))
        #expect(folder.names.allSatisfy { !$0.contains("damaged") })
    }

    @Test("updates of every storage on four threads add up", arguments: PersistenceTests.Kind.allCases)
    func threads(_ kind: PersistenceTests.Kind) async throws {
        let storage = try PersistenceTests().storage(kind)
        let count = kind == .memory || kind == .cache ? 500 : 20
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<count { try storage.update(0, for: .number) { $0 += 1 } }
                }
            }
            try await group.waitForAll()
        }
        #expect(storage.source(for: .number).value.found?.value == 4 * count)
    }
}
