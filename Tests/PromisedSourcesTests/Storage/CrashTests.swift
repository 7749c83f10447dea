import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

/// A writer that stops in the middle.
@Suite(.tags(.sharedState), .ownThreads) struct CrashTests {
    @Test("a writer that stops at any operation leaves the old value or the new one, whole")
    func everyOperation() throws {
        for before in ["old", "missing", "damaged", "no folder"] {
            var number = 1
            while true {
                let fixture = try StorageFixture()
                if before == "old" { fixture.files().set(Document(1), for: .document) }
                if before == "damaged" { try fixture.folder.write("{", to: "document.json") }
                if before == "no folder" { try FileManager.default.removeItem(at: fixture.folder.url) }
                let old = fixture.stored(.document).found?.value
                fixture.scheduler.advance(by: .seconds(1))

                let operations = FaultyFiles()
                let files = fixture.files(operations)
                let source = files.source(for: .document)
                _ = source.value
                operations.plan(.stop, at: number)
                source.value.set(Document(2))
                let isStopped = (try? files.flush()) == nil
                guard operations.hasStruck else { break }

                let place = "\(before), \(number): \(operations.names[number - 1])"
                let found = fixture.stored(.document).found?.value
                #expect(found == Document(2) || isStopped && found == old, "\(place)")
                let others = fixture.folder.names.filter { $0 != "document.json" }
                #expect(others.count { $0.hasSuffix(FileReplacement.ending) } <= 1, "\(place)")
                if before == "damaged" {
                    let texts = fixture.folder.names.compactMap { fixture.folder.text($0) }
                    #expect(texts.contains("{"), "\(place)")
                }
                // The next process can go on.
                let next = fixture.files()
                next.set(Document(3), for: .document)
                #expect(fixture.stored(.document).found?.value == Document(3), "\(place)")
                // What stopped above did not go on in the meantime.
                withExtendedLifetime(source) {}
                operations.plan(nil, at: 0)
                number += 1
            }
            #expect(number > 8)
        }
    }

    @Test("a removal that stops at any operation leaves the old value or none")
    func everyOperationOfRemoval() throws {
        var number = 1
        while true {
            let fixture = try StorageFixture()
            let operations = FaultyFiles()
            let files = fixture.files(operations)
            let source = files.source(for: .document)
            source.value.set(Document(1))
            try files.flush()
            fixture.scheduler.advance(by: .seconds(1))
            operations.plan(.stop, at: number)
            source.value.found?.clear()
            try? files.flush()
            guard operations.hasStruck else { break }
            let found = fixture.stored(.document)
            #expect(found.error == nil && (found.found == nil || found.found?.value == Document(1)))
            operations.plan(nil, at: 0)
            number += 1
        }
        #expect(number > 2)
    }

    @Test(
        "a writer that is killed at a random moment leaves a whole value, not older than the last that was written"
    )
    func killed() async throws {
        var random = SeededGenerator(seed: firstSeed())
        let folder = try TemporaryFolder()
        var least = 0
        for round in 1...rounds(20, stress: 500) {
            let delay = UInt32.random(in: 0...20_000, using: &random)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    path = folder.url.path as String, delay = delay as UInt32, first = least as Int,
                    isFirst = (round == 1) as Bool
                ] in
                let files = FilePersistence(folder: URL(filePath: path), pause: .milliseconds(1))
                let source = files.source(for: .document)
                let written = try FileHandle(forWritingTo: ChildProcess.log(path))
                try written.seekToEnd()
                let isWritten = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    // Only the first may end before it has written anything.
                    if !isFirst { isWritten.wait() }
                    // Real time on purpose: the signal is to arrive anywhere in a write. No expectation depends on
                    // when.
                    usleep(delay)
                    kill(getpid(), SIGKILL)
                }
                for number in first... {
                    source.value.set(Document(number + 1, parts: 2_000))
                    try files.flush()
                    try written.write(contentsOf: Data("\(number + 1)\n".utf8))
                    isWritten.signal()
                }
            }
            let present = FilePersistence(folder: folder.url).source(for: .document).value
            let text = folder.text("log") ?? ""
            let last = text.split(separator: "\n").last.flatMap { Int($0) } ?? 0
            #expect(present.error == nil, "\(round)")
            #expect(last == 0 || present.found != nil, "\(round)")
            if let found = present.found { #expect(found.isWhole && found.number >= last, "\(round)") }
            least = max(last, present.found?.number ?? 0)
        }
        #expect(least > 0)
    }

    @Test(
        "two processes that write one file leave a whole value at every moment, and the last of one of them at the end"
    )
    func twoProcesses() async throws {
        let folder = try TemporaryFolder()
        let count = rounds(50, stress: 1_000)
        await withTaskGroup(of: Void.self) { group in
            for process in 1...2 {
                group.addTask {
                    _ = await #expect(processExitsWith: .success) {
                        [path = folder.url.path as String, process = process as Int, count = count as Int] in
                        let files = FilePersistence(folder: URL(filePath: path), pause: .milliseconds(1))
                        let source = files.source(for: .document)
                        for number in 1...count {
                            source.value.set(Document(number * 10 + process, parts: 2_000))
                            try files.flush()
                        }
                    }
                }
            }
            group.addTask {
                for _ in 1...count {
                    let present = FilePersistence(folder: folder.url).source(for: .document).value
                    #expect(present.error == nil)
                    if let found = present.found { #expect(found.isWhole) }
                }
            }
        }
        let number = FilePersistence(folder: folder.url).source(for: .document).value.found?.number
        #expect(number == count * 10 + 1 || number == count * 10 + 2)
        #expect(folder.names == ["document.json"])
    }
}

enum ChildProcess {
    /// A file to which a process adds what it has done.
    static func log(_ folder: String) -> URL {
        let url = URL(filePath: folder + "/log")
        if !FileManager.default.fileExists(atPath: url.path) {
            _ = FileManager.default.createFile(atPath: url.path, contents: nil)
        }
        return url
    }
}
