import Foundation
import PromisedSystem
import Testing

@testable import ProductPage
@testable import ProductReading

@Suite(.timeLimit(.minutes(10))) struct FileTests {
    private func bytes(_ path: String, limit: Int = 1_000_000) async throws -> [UInt8] {
        try await FileSource.bytes(name: path, limit: limit) { try FileReading.open(path) }.value
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

    @Test("a file is read whole, and what is none is named with the reason, by either way to read it")
    func files() async throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "é", count: 100_000)
        try folder.write(text, to: "a")
        for (name, target) in [("loop", "loop"), ("dangling", "gone")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.file(name), withDestinationPath: folder.file(target))
        }
        #expect(try await bytes(folder.file("a"), limit: 200_000) == Array(text.utf8))
        #expect(try FileReading.bytes(ofRegularFile: folder.file("a"), limit: 200_000) == Array(text.utf8))
        let root = folder.path
        for row in rows(
            """
            /a => is larger than 0 MiB | /none => no such file | /dangling => no such file |  => is a directory
            /a/x => a part of the path is not a directory | /loop => too many symbolic links
            """)
        {
            let path = root + row.given
            #expect(await problem(path) == "\(path): \(row.expected)")
            #expect(
                message { _ = try FileReading.bytes(ofRegularFile: path, limit: 100) }
                    == "\(path): \(row.expected)")
        }
        #expect(await problem("a\u{0}b").hasSuffix("no path contains a zero byte"))
    }

    @Test func permissionDeniedIsNamed() async throws {
        // The super-user may read everything.
        guard getuid() != 0 else { return }
        let folder = try TemporaryFolder()
        try folder.write("x", to: "secret")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.file("secret"))
        #expect(await problem(folder.file("secret")).hasSuffix("/secret: permission denied"))
    }

    @Test("where nothing may wait, a pipe or a device is refused")
    func waiting() throws {
        let folder = try TemporaryFolder()
        for path in [try pipe(folder), "/dev/zero"] {
            #expect(
                message { _ = try FileReading.bytes(ofRegularFile: path, limit: 100) }
                    == "\(path): is no regular file")
        }
    }

    @Test("a pipe is read to its end, in as many pieces as it comes")
    func pieces() async throws {
        let folder = try TemporaryFolder()
        let path = try pipe(folder)
        async let bytes = bytes(path)
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
                return try await bytes(path)
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test("a catalogue is known by the absolute path of its file; standard input is read once")
    func catalogues() async throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"@type":"Product","name":"Tea"}"#, to: "a.json")
        let path = folder.path + "/../\(URL(filePath: folder.path).lastPathComponent)/a.json"
        #expect(try await FileSource(path: path).catalogue().value.id == folder.file("a.json"))
        let input = FileSource(standardInput: open(folder.file("a.json"), O_RDONLY))
        for _ in 1...2 {
            let read = try await input.catalogue().value
            #expect(read.source == "standard input" && read.id == "- Tea" && read.products.count == 1)
        }
    }
}
