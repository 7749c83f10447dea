import Foundation

/// A run of the program that has loaded its source and waits for more events: what it has shown until then,
/// and how much memory it took at its peak.
struct RestingTool: Sendable {
    var lines: [String]
    /// In MiB; nil where the system does not tell.
    var peak: Int?
    var code: Int32

    private static let gate = Gate(width: 2)

    /// Runs the program with `load` as its only event, and looks at it when that is done.
    init(in home: borrowing TemporaryFolder, _ arguments: String...) async throws {
        let path = home.path
        self = try await Self.gate.pass {
            try await withCheckedThrowingContinuation { continuation in
                // Reading its output blocks.
                Thread.detachNewThread {
                    continuation.resume(with: Result { try RestingTool(home: path, arguments) })
                }
            }
        }
    }

    private init(home: String, _ arguments: [String]) throws {
        let (input, output) = (Channel(), Channel())
        let process = Process()
        process.executableURL = URL(filePath: BuiltTool.path)
        process.arguments = arguments + ["--json", "--events", "-"]
        process.environment = [
            "HOME": home, "XDG_STATE_HOME": home + "/state", "XDG_CACHE_HOME": home + "/.cache",
            "LLVM_PROFILE_FILE": "/dev/null",
        ]
        process.currentDirectoryURL = URL(filePath: home)
        process.standardInput = input.reading
        process.standardOutput = output.writing
        process.standardError = FileHandle.nullDevice
        try process.run()
        output.closeWriting()
        input.write("load\n")
        var lines: [String] = []
        while let line = output.readLine() {
            lines.append(line)
            guard line.hasSuffix(#""state":"loaded"}"#) || line.hasSuffix(#""state":"error"}"#) else {
                continue
            }
            break
        }
        peak = Self.peak(of: process.processIdentifier)
        self.lines = lines
        input.closeWriting()
        process.waitUntilExit()
        code = process.terminationStatus
    }

    /// What the system says of it, as long as it lives.
    private static func peak(of process: Int32) -> Int? {
        #if os(Linux)
            let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            let kilobytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
            return kilobytes.map { $0 / 1024 }
        #else
            return nil
        #endif
    }
}
