import Foundation

/// An HTTPS server with a certificate of its own making, by the system's `openssl`.
final class SelfSignedServer: Sendable {
    private static let tool = "/usr/bin/openssl"
    static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: tool) }

    private let process: Process
    private let port: UInt16

    init(in folder: String) async throws {
        let files = ["key.pem", "cert.pem"].map { folder + "/" + $0 }
        let request =
            "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
        _ = try BuiltTool.output(
            of: [Self.tool] + request.split(separator: " ").map(String.init) + [
                "-keyout", files[0], "-out", files[1],
            ])
        let output = Channel()
        let process = Process()
        process.executableURL = URL(filePath: Self.tool)
        // Port 0 is one that is free; which, it says.
        process.arguments = [
            "s_server", "-accept", "127.0.0.1:0", "-key", files[0], "-cert", files[1], "-www",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output.writing
        process.standardError = FileHandle.nullDevice
        try process.run()
        output.closeWriting()
        let line = sequence(state: output) { $0.readLine() }.first { $0.hasPrefix("ACCEPT") }
        guard let port = line?.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw WrongCount(count: 0)
        }
        (self.process, self.port) = (process, port)
    }

    deinit { kill(process.processIdentifier, SIGKILL) }

    func url(_ path: String) -> String { "https://127.0.0.1:\(port)\(path)" }

    /// Whether a client gets through that trusts every certificate.
    func answersWithoutChecks() throws -> Bool {
        try BuiltTool.output(of: [Self.tool, "s_client", "-connect", "127.0.0.1:\(port)"]).lines
            .contains { $0.contains("BEGIN CERTIFICATE") }
    }
}
