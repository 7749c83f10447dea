import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

/// The file behind the bad one, the value that came by a reload, and the error that comes later.
@Suite(.tags(.sharedState)) struct SecondRoundTests {
    let fixture: StorageFixture
    private var folder: TemporaryFolder { fixture.folder }

    init() throws { fixture = try StorageFixture() }

    @Test("flush() writes the eight good files beside a bad one, whatever is bad about it", arguments: 0...8)
    func flush(_ bad: Int) throws {
        struct Odd: Codable, Sendable { var number: Double }
        let files = fixture.files()
        let sources = (0...8).map { files.source(for: StorageKey<Odd>("\($0).json")) }
        for (number, source) in sources.enumerated() {
            // What is not a number has no JSON.
            source.value.set(Odd(number: number == bad ? .nan : Double(number)))
        }
        let error = #expect(throws: StorageError.self) { try files.flush() }
        #expect(error?.place == folder.path("\(bad).json"))
        #expect(folder.names == (0...8).filter { $0 != bad }.map { "\($0).json" })
        #expect(sources.map { $0.value.error != nil } == (0...8).map { $0 == bad })
        sources[bad].value.set(Odd(number: 1))
        try files.flush()
        #expect(folder.names.count == 9 && sources.allSatisfy { $0.value.error == nil })
    }

    @Test("of two bad files the error of one is thrown, and both show theirs")
    func twoBad() throws {
        for name in ["a", "b"] {
            try FileManager.default.createDirectory(
                atPath: folder.path("\(name).json"), withIntermediateDirectories: true)
        }
        let files = fixture.files()
        let sources = ["a", "b", "c"].map { files.source(for: StorageKey<Int>("\($0).json")) }
        for source in sources { source.value.set(1) }
        #expect(throws: StorageError.self) { try files.flush() }
        #expect(sources.map { $0.value.error != nil } == [true, true, false])
    }

    @Test("a value that came by refresh() expires like one that was set", arguments: [true, false])
    func expires(_ isFirst: Bool) throws {
        let key = StorageKey<Int>("number.json", expiresAfter: .seconds(60))
        let (mine, theirs) = (fixture.files(), fixture.files())
        let source = mine.source(for: key)
        let seen = Seen<String>()
        let token = source.subscribe { seen.add("\($0.found?.value ?? 0) \($0.found?.isExpired ?? false)") }
        if !isFirst { source.value.set(1) }
        fixture.scheduler.advance(by: .seconds(10))
        theirs.set(2, for: key)
        mine.refresh()
        fixture.scheduler.advance(by: .milliseconds(59_999))
        #expect(source.value.found?.value == 2 && source.value.found?.isExpired == false)
        fixture.scheduler.advance(by: .milliseconds(1))
        #expect(source.value.found?.isExpired == true)
        #expect(seen.values == ["0 false"] + (isFirst ? [] : ["1 false"]) + ["2 false", "2 true"])
        #expect(fixture.scheduler.pendingCount == 0)
        // Reloaded as an old one, it is expired from the beginning.
        theirs.clear(key)
        mine.refresh()
        #expect(source.value.found == nil)
        token.cancel()
    }

    @Test(
        "an error that comes when the value is written later is published beside it, and goes with the next success"
    )
    func laterError() throws {
        let operations = FaultyFiles()
        let files = fixture.files(operations)
        let source = files.source(for: .number)
        let seen = Seen<String>()
        let token = source.subscribe {
            seen.add("\($0.found?.value ?? 0) \($0.error == nil ? "good" : "bad")")
        }
        source.value.set(1)
        fixture.scheduler.advance(by: .seconds(1))
        for number in [2, 3] {
            operations.plan(.error(ENOSPC), at: 3)
            source.value.set(number)
            #expect(source.value.error == nil)
            fixture.scheduler.advance(by: .seconds(1))
            #expect(source.value.error is StorageError && source.value.found?.value == number)
        }
        operations.plan(nil, at: 0)
        try files.flush()
        operations.plan(.error(EIO), at: 3)
        source.value.found?.clear()
        fixture.scheduler.advance(by: .seconds(1))
        operations.plan(nil, at: 0)
        try files.flush()
        #expect(
            seen.values == [
                "0 good", "1 good", "2 good", "2 bad", "3 good", "3 bad", "3 good", "0 good", "0 bad",
                "0 good",
            ])
        token.cancel()
    }

    @Test(
        "what became unreadable after it was read is an error, and good again after that", arguments: [1, 2])
    func brokenLater(_ rounds: Int) throws {
        let files = fixture.files()
        let source = files.source(for: .number)
        source.value.set(1)
        try files.flush()
        for round in 1...rounds {
            try folder.write("x", to: "number.json")
            files.refresh()
            #expect(source.value.error is StorageError && source.value.found == nil)
            try folder.write("\(round + 5)\n", to: "number.json")
            files.refresh()
            #expect(source.value.error == nil && source.value.found?.value == round + 5)
        }
        source.value.set(9)
        try files.flush()
        #expect(folder.names == ["number.json"])
    }
}
