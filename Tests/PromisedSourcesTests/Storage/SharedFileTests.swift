import Foundation
import Promise
import PromisedTesting
import Testing

@testable import PromisedSources

/// Two processes that use one file, as two storages.
@Suite struct SharedFileTests {
    let fixture: StorageFixture
    private var folder: TemporaryFolder { fixture.folder }

    init() throws { fixture = try StorageFixture() }

    @Test("SA-56: the change of another process is seen by refresh()")
    func refreshed() throws {
        let (mine, theirs) = (fixture.files(), fixture.files())
        let (source, other) = (mine.source(for: .number), theirs.source(for: .number))
        let seen = Seen<Int?>()
        let token = source.subscribe { seen.add($0.found?.value) }
        other.value.set(1)
        try theirs.flush()
        #expect(source.value.found == nil)
        mine.refresh()
        #expect(source.value.found?.value == 1)
        mine.refresh()
        other.value.found?.clear()
        try theirs.flush()
        mine.refresh()
        #expect(seen.values == [nil, 1, nil])
        other.value.set(7)
        try theirs.flush()
        mine.refresh()
        // Of the same size, in the same instant of the storage's time.
        other.value.set(8)
        try theirs.flush()
        mine.refresh()
        #expect(seen.values == [nil, 1, nil, 7, 8])
        withExtendedLifetime(token) {}
    }

    @Test("SA-56: files are checked when the program becomes active")
    func activated() throws {
        let active = ActiveSource()
        let files = FilePersistence(
            folder: folder.url, on: fixture.scheduler, isActive: active.eraseToSource(), now: fixture.now)
        let source = files.source(for: .number)
        #expect(source.value.found == nil)
        fixture.files().set(1, for: .number)
        active.model = false
        fixture.scheduler.advance()
        #expect(source.value.found == nil)
        active.model = true
        fixture.scheduler.advance()
        #expect(source.value.found?.value == 1)
    }

    @Test("of the values of two processes that were set at one instant, the one that is written last stays")
    func sameInstant() throws {
        let (mine, theirs) = (fixture.files(), fixture.files())
        let (source, other) = (mine.source(for: .number), theirs.source(for: .number))
        source.value.set(1)
        other.value.set(2)
        try mine.flush()
        try theirs.flush()
        #expect(other.value.found?.value == 2 && fixture.stored(.number).found?.value == 2)
    }

    @Test("of the values of two processes, the one that was set later wins, whichever is written first")
    func later() throws {
        for theirsIsLater in [true, false] {
            let (mine, theirs) = (fixture.files(), fixture.files())
            let (source, other) = (mine.source(for: .number), theirs.source(for: .number))
            if !theirsIsLater { other.value.set(2) }
            source.value.set(1)
            fixture.scheduler.advance(by: .milliseconds(100))
            if theirsIsLater { other.value.set(2) } else { source.value.set(1) }
            try theirs.flush()
            try mine.flush()
            #expect(source.value.found?.value == (theirsIsLater ? 2 : 1))
            #expect(fixture.stored(.number).found?.value == (theirsIsLater ? 2 : 1))
            theirs.refresh()
            #expect(other.value.found?.value == (theirsIsLater ? 2 : 1))
            fixture.scheduler.advance(by: .seconds(1))
        }
    }

    @Test("a removal is later or earlier than another process's value, too")
    func removal() throws {
        for isLater in [true, false] {
            let (mine, theirs) = (fixture.files(), fixture.files())
            let (source, other) = (mine.source(for: .number), theirs.source(for: .number))
            source.value.set(1)
            try mine.flush()
            fixture.scheduler.advance(by: .seconds(1))
            if isLater { other.value.set(2) }
            source.value.found?.clear()
            if isLater { fixture.scheduler.advance(by: .milliseconds(1)) }
            if isLater { source.value.set(3) }
            if isLater { source.value.found?.clear() }
            if !isLater {
                fixture.scheduler.advance(by: .milliseconds(1))
                other.value.set(2)
            }
            try theirs.flush()
            try mine.flush()
            #expect(fixture.stored(.number).found?.value == (isLater ? nil : 2))
            #expect(source.value.found?.value == (isLater ? nil : 2))
        }
    }

    @Test("a value that becomes unreadable is shown as not found with the error, until it is mended")
    func damaged() throws {
        let files = fixture.files()
        let source = files.source(for: .number)
        source.value.set(1)
        try files.flush()
        try folder.write("x", to: "number.json")
        files.refresh()
        #expect(source.value.found == nil && source.value.error is StorageError)
        try folder.write("5\n", to: "number.json")
        files.refresh()
        #expect(source.value.found?.value == 5)
    }
}
