import Foundation
import PromisedSystem
import Testing

@testable import ProductPage

@Suite(.timeLimit(.minutes(10))) struct FileSourceReadingTests {
    private func bytes(_ path: String, limit: Int) async throws -> [UInt8] {
        try await FileReading.bytes(name: path, limit: limit) { try FileReading.open(path) }.value
    }

    private func problem(_ path: String, limit: Int = 100) async -> String {
        do {
            return "read: \(try await bytes(path, limit: limit))"
        } catch {
            return "\(error)"
        }
    }

    private func pipe(_ folder: borrowing TemporaryFolder) throws -> String {
        let path = folder.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        return path
    }

    @Test("a file is read whole, and what is none is named with the reason")
    func files() async throws {
        let folder = try TemporaryFolder()
        try folder.write("Té", to: "a")
        #expect(try await bytes(folder.file("a"), limit: 3) == Array("Té".utf8))
        let (large, gone, whole) = await (
            problem(folder.file("a"), limit: 2), problem(folder.file("b")), problem(folder.path)
        )
        #expect(large == "\(folder.file("a")): is larger than 0 MiB")
        #expect(gone == "\(folder.file("b")): no such file")
        #expect(whole == "\(folder.path): is a directory")
        #expect(await problem("a\u{0}b").hasSuffix("no path contains a zero byte"))
    }

    @Test("a pipe is read to its end, in as many pieces as it comes")
    func pieces() async throws {
        let folder = try TemporaryFolder()
        let path = try pipe(folder)
        async let bytes = bytes(path, limit: 1_000_000)
        let piece = Data(repeating: 0x61, count: 100_000)
        Thread.detachNewThread {
            // Opens when there is a reader, and waits until then.
            let writing = FileHandle(forWritingAtPath: path)
            for _ in 1...3 { try? writing?.write(contentsOf: piece) }
            try? writing?.close()
        }
        #expect(try await bytes.count == 300_000)
    }

    @Test("an endless pipe is stopped, and so is its writer")
    func endless() async throws {
        let folder = try TemporaryFolder()
        let path = try pipe(folder)
        async let line = problem(path, limit: 1_048_576)
        let (ended, ending) = AsyncStream<Void>.makeStream()
        Thread.detachNewThread {
            // Blocked in this thread, the signal for a pipe without a reader ends nothing: writing fails.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            let descriptor = open(path, O_WRONLY)
            var bytes = [UInt8](repeating: 0x61, count: 65_536)
            while write(descriptor, &bytes, bytes.count) > 0 {}
            close(descriptor)
            ending.finish()
        }
        #expect(await line == "\(path): is larger than 1 MiB")
        for await _ in ended {}
    }

    @Test("a pipe without a writer is closed when the task is cancelled, at any time")
    func cancelling() async throws {
        let folder = try TemporaryFolder()
        let path = try pipe(folder)
        for isEarly in [true, false] {
            let task = Task {
                if isEarly { withUnsafeCurrentTask { $0?.cancel() } }
                return try await bytes(path, limit: 100)
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test("a catalogue is known by the absolute path of its file; standard input is read once")
    func catalogues() async throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"@type":"Product","name":"Tea"}"#, to: "a.json")
        let catalogue = try await FileSource(
            path: folder.path + "/../\(URL(filePath: folder.path).lastPathComponent)/a.json"
        )
        .catalogue().value
        #expect(catalogue.id == folder.file("a.json"))
        let input = FileSource(standardInput: open(folder.file("a.json"), O_RDONLY))
        for _ in 1...2 {
            let read = try await input.catalogue().value
            #expect(read.source == "standard input" && read.id == "- Tea" && read.products.count == 1)
        }
    }
}
