import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

@Suite(.tags(.sharedState)) struct FilePersistenceTests {
    let fixture: StorageFixture
    private var folder: TemporaryFolder { fixture.folder }

    init() throws { fixture = try StorageFixture() }

    @Test("SA-56: two sources of a file share its value; when it is flushed, a new storage reads it")
    func sharing() throws {
        let files = fixture.files()
        let (first, second) = (files.source(for: .number), files.source(for: .number))
        first.value.set(2)
        #expect(second.value.found?.value == 2 && fixture.stored(.number).found == nil)
        try files.flush()
        #expect(fixture.stored(.number).found?.value == 2)
        #expect(folder.names == ["number.json"] && folder.text("number.json") == "2\n")
    }

    @Test("SA-56: a value is written 0.3 s after the first change, and the last one wins")
    func pause() {
        let operations = FaultyFiles()
        let files = fixture.files(operations)
        let source = files.source(for: .number)
        source.value.set(1)
        fixture.scheduler.advance(by: .milliseconds(200))
        for number in 2...5 { source.value.set(number) }
        #expect(folder.names == [])
        fixture.scheduler.advance(by: .milliseconds(99))
        #expect(folder.names == [])
        fixture.scheduler.advance(by: .milliseconds(1))
        #expect(folder.text("number.json") == "5\n" && operations.names.count { $0 == "rename" } == 1)
        source.value.set(6)
        source.value.found?.clear()
        source.value.set(7)
        source.value.found?.clear()
        #expect(source.value.found == nil && folder.text("number.json") == "5\n")
        fixture.scheduler.advance(by: .milliseconds(300))
        #expect(folder.names == [] && operations.names.count { $0 == "rename" } == 1)
    }

    @Test("SA-56: the last write is on disk when the last source is released within the pause")
    func releasedWithinPause() {
        var files: FilePersistence? = fixture.files()
        var source = files?.source(for: .number)
        var copy = source
        source?.value.set(1)
        source?.value.set(2)
        source = nil
        #expect(folder.names == [])
        files = nil
        #expect(folder.names == [] && copy?.value.found?.value == 2)
        copy = nil
        #expect(folder.text("number.json") == "2\n")
    }

    @Test("SA-56: sources that are not used are released, whatever they were asked for")
    func table() {
        let files = fixture.files()
        for number in 0..<100 { files.set(number, for: StorageKey<Int>("\(number)")) }
        #expect(files.count == 0 && folder.names.count == 100)
        let source = files.source(for: StorageKey<Int>("1"))
        #expect(files.count == 1 && source.value.found?.value == 1)
    }

    @Test("SA-56: a file expires by its modification date")
    func modificationDate() throws {
        let key = StorageKey<Int>("number.json", expiresAfter: .seconds(60))
        do { fixture.files().set(1, for: key) }
        fixture.scheduler.advance(by: .seconds(50))
        let seen = Seen<Bool?>()
        let source = fixture.files().source(for: key)
        let token = source.subscribe { seen.add($0.found?.isExpired) }
        fixture.scheduler.advance(by: .seconds(9))
        #expect(seen.values == [false])
        fixture.scheduler.advance(by: .seconds(1))
        #expect(seen.values == [false, true] && fixture.stored(key).found?.isExpired == true)
        withExtendedLifetime(token) {}
    }

    @Test("SA-56: coders of types that can be encoded or decoded only")
    func oneWay() throws {
        struct Report: Encodable, Sendable { var number = 1 }
        struct Settings: Decodable, Sendable { var number: Int }
        let files = fixture.files()
        let report = files.source(for: StorageKey<Report>("report.json"))
        report.value.set(Report())
        try files.flush()
        #expect(folder.text("report.json") == #"{"number":1}"# && report.value.found?.value.number == 1)
        #expect(fixture.stored(StorageKey<Report>("report.json")).found == nil)

        try folder.write(#"{"number": 5}"#, to: "settings.json")
        let settings = files.source(for: StorageKey<Settings>("settings.json"))
        #expect(settings.value.found?.value.number == 5)
        settings.value.set(Settings(number: 6))
        #expect(throws: StorageError.self) { try files.flush() }
        #expect(settings.value.found?.value.number == 6)
        #expect(
            settings.value.error.map { "\($0)" }
                == """
                \(folder.path("settings.json")) could not be written: its type cannot be turned into data. Let the type \
                conform to Encodable or DataConvertible, or use another storage.
                """)
        #expect(folder.text("settings.json") == #"{"number": 5}"#)
        Reports.begin()
    }

    @Test("SA-59: a type that converts itself is equal when it is read by a new storage; both ways may fail")
    func ownCoding() throws {
        struct Empty: Error {}
        struct Drawing: DataConvertible, Equatable {
            var points: [UInt8]
            init(_ points: UInt8...) { self.points = points }
            init(data: Data) throws {
                guard !data.isEmpty else { throw Empty() }
                points = [UInt8](data)
            }
            func data() throws -> Data {
                guard !points.isEmpty else { throw Empty() }
                return Data(points)
            }
        }
        let key = StorageKey<Drawing>("drawing")
        let files = fixture.files()
        let source = files.source(for: key)
        source.value.set(Drawing(1, 2, 0))
        try files.flush()
        #expect(folder.data("drawing") == Data([1, 2, 0]))
        #expect(fixture.stored(key).found?.value == Drawing(1, 2, 0))
        source.value.set(Drawing())
        #expect(throws: StorageError.self) { try files.flush() }
        #expect(source.value.found?.value == Drawing() && source.value.error != nil)
        #expect(folder.data("drawing") == Data([1, 2, 0]))
        source.value.set(Drawing(3))
        try files.flush()
        #expect(source.value.error == nil && folder.data("drawing") == Data([3]))
        try folder.write(Data(), to: "empty")
        #expect(fixture.stored(StorageKey<Drawing>("empty")).error is StorageError)
    }

    @Test("a name stays in the folder, whatever is in it")
    func names() throws {
        let files = fixture.files()
        let names = ["", ".", "..", "../a", "a/b", "a%2Fb", ".hidden", "ü 1"]
        for (number, name) in names.enumerated() {
            files.set(number, for: StorageKey<Int>(name))
        }
        #expect(folder.names.count == names.count)
        for (number, name) in names.enumerated() {
            #expect(fixture.stored(StorageKey<Int>(name)).found?.value == number)
        }
    }

    @Test("a folder is made with the first file; a link and the permissions of a file are kept")
    func surroundings() throws {
        let inner = FilePersistence(folder: folder.url.appending(path: "a/b/c"))
        inner.set(1, for: .number)
        #expect(folder.names == ["a"] && folder.text("a/b/c/number.json") == "1\n")
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path("a/b/c/number.json"))
        inner.set(2, for: .number)
        let attributes = try manager.attributesOfItem(atPath: folder.path("a/b/c/number.json"))
        #expect(attributes[.posixPermissions] as? Int == 0o644)
        try manager.createSymbolicLink(
            at: folder.url.appending(path: "link"), withDestinationURL: folder.url.appending(path: "a/b/c"))
        FilePersistence(folder: folder.url.appending(path: "link")).set(3, for: .number)
        #expect(folder.text("a/b/c/number.json") == "3\n")
        try manager.createSymbolicLink(
            atPath: folder.path("linked.json"), withDestinationPath: folder.path("a/b/c/number.json"))
        fixture.files().set(4, for: StorageKey<Int>("linked.json"))
        #expect(folder.text("a/b/c/number.json") == "4\n")
        #expect(
            try manager.destinationOfSymbolicLink(atPath: folder.path("linked.json")).hasSuffix("number.json")
        )
    }

    @Test("what a killed process has left is removed after an hour")
    func strays() throws {
        let (old, new) = (".1\(FileReplacement.ending)", ".2\(FileReplacement.ending)")
        for (name, age) in [(old, 4_000.0), (new, 100)] {
            try folder.write("half", to: name)
            try FileManager.default.setAttributes(
                [.modificationDate: fixture.now().addingTimeInterval(-age)], ofItemAtPath: folder.path(name))
        }
        fixture.files().set(1, for: .number)
        #expect(folder.names == [new, "number.json"])
    }

    @Test("writing and releasing on eight threads loses no value")
    func threads() async throws {
        let files = FilePersistence(folder: folder.url, pause: .milliseconds(1))
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    let key = StorageKey<Int>("\(task)")
                    for step in 1...rounds(20, stress: 200) {
                        let source = files.source(for: key)
                        #expect((source.value.found?.value ?? 0) == step - 1)
                        source.value.set(step)
                    }
                }
            }
        }
        for task in 0..<8 {
            #expect(fixture.stored(StorageKey<Int>("\(task)")).found?.value == rounds(20, stress: 200))
        }
        #expect(files.count == 0)
    }
}
