import Foundation

/// An HTTPS server with a certificate of its own making, by the system's `openssl`.
final class SelfSignedServer: Sendable {
    private static let tool = "/usr/bin/openssl"
    static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: tool) }

    private let process: Process
    private let port: UInt16

    init(in folder: String) async throws {
        try Self.run([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
            "-addext",
            "subjectAltName=IP:127.0.0.1", "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem",
        ])
        let output = Channel()
        let process = Process()
        process.executableURL = URL(filePath: Self.tool)
        // Port 0 is one that is free; which, it says.
        process.arguments = [
            "s_server", "-accept", "127.0.0.1:0", "-key", folder + "/key.pem", "-cert", folder + "/cert.pem",
            "-www",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output.writing
        process.standardError = FileHandle.nullDevice
        try process.run()
        output.closeWriting()
        var port: UInt16?
        while port == nil, let line = output.readLine() {
            guard line.hasPrefix("ACCEPT") else { continue }
            port = line.split(separator: ":").last.flatMap { UInt16($0) }
        }
        guard let port else { throw WrongCount(count: 0) }
        (self.process, self.port) = (process, port)
    }

    deinit { kill(process.processIdentifier, SIGKILL) }

    func url(_ path: String) -> String { "https://127.0.0.1:\(port)\(path)" }

    /// Whether a client gets through that trusts anyone.
    func answersWithoutChecks() throws -> Bool {
        let output = Channel()
        let process = Process()
        process.executableURL = URL(filePath: Self.tool)
        process.arguments = ["s_client", "-connect", "127.0.0.1:\(port)"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output.writing
        process.standardError = FileHandle.nullDevice
        try process.run()
        output.closeWriting()
        var lines: [String] = []
        while let line = output.readLine() { lines.append(line) }
        process.waitUntilExit()
        return lines.contains { $0.contains("BEGIN CERTIFICATE") }
    }

    private static func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: tool)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw WrongCount(count: Int(process.terminationStatus)) }
    }
}
