import Foundation
import Testing

@testable import ProductPage

@Suite struct FileReadingTests {
    private func problem(_ path: String, limit: Int = 100) -> String {
        message { _ = try FileReading.bytes(ofRegularFile: path, limit: limit) }
    }

    @Test func aFileIsReadWhole() throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "é", count: 100_000)
        try folder.write(text, to: "a")
        #expect(try FileReading.bytes(ofRegularFile: folder.file("a"), limit: 200_000) == Array(text.utf8))
        #expect(problem(folder.file("a"), limit: 199_999).hasSuffix("/a: is larger than 0 MiB"))
    }

    @Test func whatIsNoReadableFileIsNamedWithTheReason() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "file")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("loop"), withDestinationPath: folder.file("loop"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("dangling"), withDestinationPath: folder.file("gone"))
        let path = folder.path
        #expect(problem(path + "/none") == "\(path)/none: no such file")
        #expect(problem(path) == "\(path): is a directory")
        #expect(problem(path + "/file/x") == "\(path)/file/x: a part of the path is not a directory")
        #expect(problem(path + "/loop") == "\(path)/loop: too many symbolic links")
        #expect(problem(path + "/dangling") == "\(path)/dangling: no such file")
        #expect(problem("") == ": no such file")
        #expect(problem(path + "/file\u{0}x").hasSuffix("no path contains a zero byte"))
    }

    @Test func permissionDeniedIsNamed() throws {
        // The super-user may read everything.
        guard getuid() != 0 else { return }
        let folder = try TemporaryFolder()
        try folder.write("x", to: "secret")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.file("secret"))
        #expect(problem(folder.file("secret")).hasSuffix("/secret: permission denied"))
    }

    @Test func whatCouldMakeItWaitIsRefused() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        #expect(problem(folder.file("pipe")).hasSuffix("/pipe: is no regular file"))
        #expect(problem("/dev/zero") == "/dev/zero: is no regular file")
    }
}
