import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

/// Files that can't be read or written.
@Suite struct FileFaultTests {
    let fixture: StorageFixture
    private var folder: TemporaryFolder { fixture.folder }

    init() throws { fixture = try StorageFixture() }

    @Test("a file that is truncated at any length is an error that names it, and is kept when a value is set")
    func truncated() throws {
        let values: [any Codable & Sendable & Equatable] = [
            12_345, -1.5, "text", true, Document(7), [1, 2], [1: "a"],
        ]
        for value in values { try truncated(value) }
    }

    private func truncated<Value: Codable & Sendable & Equatable>(_ value: Value) throws {
        let fixture = try StorageFixture()
        let (folder, key) = (fixture.folder, StorageKey<Value>("value.json"))
        let files = fixture.files()
        files.set(value, for: key)
        let whole = try #require(folder.data("value.json"))
        #expect(fixture.stored(key).found?.value == value)
        for length in 0..<whole.count {
            let part = whole.prefix(length)
            try folder.write(part, to: "value.json")
            let source = fixture.files().source(for: key)
            #expect(source.value.found == nil, "\(length) of \(value)")
            #expect("\(source.value.error as Any)".contains(folder.path("value.json")))
            #expect(folder.data("value.json") == part)
        }
        try folder.write(Data(), to: "value.json")
        let last = fixture.files()
        last.set(value, for: key)
        #expect(folder.data("value.json") == whole && folder.names == ["value.json", "value.json.damaged-1"])
    }

    @Test("random bytes are an error, and are kept when a value is set")
    func random() throws {
        var random = SeededGenerator(seed: firstSeed())
        for number in 1...rounds(100, stress: 1_000) {
            let bytes = Data(
                (0..<Int.random(in: 0...200, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                })
            let key = StorageKey<Document>("\(number).json")
            try folder.write(bytes, to: key.name)
            let files = fixture.files()
            let source = files.source(for: key)
            #expect(source.value.found == nil && source.value.error is StorageError)
            files.refresh()
            try files.flush()
            #expect(folder.data(key.name) == bytes)
            source.value.set(Document(1))
            try files.flush()
            #expect(folder.data("\(key.name).damaged-1") == bytes)
            #expect(fixture.stored(key).found?.value == Document(1) && source.value.error == nil)
        }
    }

    @Test("a second damaged file is kept as well")
    func damagedTwice() throws {
        for text in ["x", "y"] {
            try folder.write(text, to: "number.json")
            fixture.files().set(1, for: .number)
        }
        #expect(folder.names == ["number.json", "number.json.damaged-1", "number.json.damaged-2"])
        #expect(folder.text("number.json.damaged-2") == "y")
    }

    @Test("a folder in the file's place is an error both ways, and stays")
    func folderInPlace() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("number.json"), withIntermediateDirectories: true)
        let files = fixture.files()
        let source = files.source(for: .number)
        let path = folder.path("number.json")
        #expect(
            "\(source.value.error as Any)".contains(
                "\(path) could not be read: it is not a file. Move it away, or use another name."))
        source.value.set(1)
        #expect(throws: StorageError.self) { try files.flush() }
        #expect(source.value.found?.value == 1)
        #expect(
            "\(source.value.error as Any)".contains(
                "\(path) could not be written: it is not a file. Move it away, or use another name."))
        #expect(folder.names == ["number.json"])
        // It is written when the way is free.
        try FileManager.default.removeItem(atPath: path)
        try files.flush()
        #expect(source.value.error == nil && folder.text("number.json") == "1\n")
    }

    @Test("a pipe in the file's place does not block")
    func pipe() {
        mkfifo(folder.path("number.json"), 0o600)
        #expect(fixture.stored(.number).error is StorageError)
    }

    @Test("a value of 100 MB, and a file of that size, are errors that say so; nothing is overwritten")
    func large() throws {
        let key = StorageKey<Data>("data")
        let files = FilePersistence(folder: folder.url, on: fixture.scheduler)
        let source = files.source(for: key)
        source.value.set(Data([1]))
        try files.flush()
        source.value.set(Data(count: 100 << 20))
        #expect(throws: StorageError.self) { try files.flush() }
        #expect(
            source.value.error.map { "\($0)" }
                == """
                \(folder.path("data")) could not be written: it has 104857600 bytes, and the limit is 67108864. Raise the \
                maximumSize of the FilePersistence, or store less.
                """)
        #expect(folder.data("data") == Data([1]) && folder.names == ["data"])
        source.value.set(Data([2]))
        try files.flush()
        #expect(folder.data("data") == Data([2]))

        let large = try FileHandle(forWritingTo: folder.url.appending(path: "data"))
        try large.truncate(atOffset: 100 << 20)
        #expect("\(fixture.stored(key).error as Any)".contains("could not be read: it has 104857600 bytes"))
        #expect(
            FilePersistence(folder: folder.url, maximumSize: 1 << 27).source(for: key).value.found?.value
                .count == 100 << 20)
    }

    @Test(
        "a full disk, a disk that may not be written to, and others: shown beside the value, and tried again")
    func refused() throws {
        for (code, meaning) in [
            (ENOSPC, "no space left on the disk"), (EACCES, "permission denied"),
            (EROFS, "the disk is read-only"),
            (EIO, String(cString: strerror(EIO))),
        ] {
            let operations = FaultyFiles()
            let files = fixture.files(operations)
            let source = files.source(for: .document)
            source.value.set(Document(1))
            try files.flush()
            let before = folder.names
            var number = 1
            while true {
                fixture.scheduler.advance(by: .seconds(1))
                operations.plan(.error(code), at: number)
                let next = Document(number + 1)
                source.value.set(next)
                fixture.scheduler.advance(by: .seconds(1))
                guard operations.hasStruck else { break }
                let failed = operations.names[number - 1]
                #expect(source.value.found?.value == next, "\(failed)")
                if source.value.error == nil {
                    #expect(fixture.stored(.document).found?.value == next, "\(failed)")
                } else {
                    #expect(
                        "\(source.value.error as Any)".contains(
                            """
                            \(folder.path("document.json")) could not be written: \(meaning). It is tried again at the next \
                            change and by flush().
                            """))
                    // Only a folder that is not synced has the new name already.
                    let stored = fixture.stored(.document).found?.value
                    #expect(
                        stored == (["syncFolder"].contains(failed) ? next : Document(number))
                            || failed == "status" && stored == next, "\(failed)")
                }
                #expect(folder.names == before, "\(failed)")
                operations.plan(nil, at: 0)
                try files.flush()
                #expect(source.value.error == nil && fixture.stored(.document).found?.value == next)
                number += 1
            }
            #expect(number > 7)
        }
    }

    @Test(
        "a folder that may not be written to", .enabled(if: geteuid() != 0, "the user may write everywhere"))
    func readOnly() throws {
        let files = fixture.files()
        files.set(1, for: .number)
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
        let source = files.source(for: .number)
        source.value.set(2)
        #expect(throws: StorageError.self) { try files.flush() }
        #expect("\(source.value.error as Any)".contains("permission denied"))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path)
        try files.flush()
        #expect(fixture.stored(.number).found?.value == 2)
    }

    @Test("a value that could not be written when its last source is released is reported")
    func lost() {
        Reports.begin()
        let operations = FaultyFiles()
        let name = "lost-\(UUID().uuidString)"
        do {
            let source = fixture.files(operations).source(for: StorageKey<Int>(name))
            operations.plan(.error(ENOSPC), at: 4)
            source.value.set(1)
        }
        #expect(Reports.about(name).count == 1)
    }
}
