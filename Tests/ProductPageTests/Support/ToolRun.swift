import Foundation
import Synchronization

/// How a run of the program ended, and what it wrote.
struct Outcome: Sendable, Equatable {
    /// The exit code; of a program that a signal ended, 128 and the signal's number, as a shell says it.
    var code: Int32
    var output: String
    var errors: String

    /// The lines of standard output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// Runs the program, four at a time: most of them wait for something, each with a home of its own.
///
/// ```swift
/// let home = try TemporaryFolder()
/// let outcome = try await ToolRun(in: home).run("--list", "--latency=0")
/// ```
struct ToolRun: Sendable {
    /// What standard input is.
    enum Input {
        /// Nothing: at its end from the start.
        case empty
        case text(String)
        /// Something else that is open already.
        case handle(FileHandle)
    }

    private static let gate = Gate(width: 4)

    private let home: String
    private let changes: [String: String]
    private let preparation: String?

    /// - Parameters:
    ///   - home: Its home, and where it runs.
    ///   - environment: What is different in its environment.
    ///   - preparation: What a shell does first, which then becomes the program.
    init(
        in home: borrowing TemporaryFolder, environment: [String: String] = [:],
        after preparation: String? = nil
    ) {
        self.home = home.path
        changes = environment
        self.preparation = preparation
    }

    /// Runs it to its end, with nothing on standard input.
    func run(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

    /// Runs it to its end. Output goes through files, which cannot fill up as pipes do.
    ///
    /// - Parameters:
    ///   - output: Standard output, where it is not to be captured.
    ///   - started: Told the process as soon as it runs.
    func run(
        _ arguments: [String], input: Input = .empty, output: FileHandle? = nil,
        started: (@Sendable (RunningTool) -> Void)? = nil
    ) async throws -> Outcome {
        try await Self.gate.pass {
            try Task.checkCancellation()
            let files = (out: try emptyFile("out"), err: try emptyFile("err"))
            let process = Process()
            process.executableURL = URL(filePath: preparation == nil ? BuiltTool.path : "/bin/sh")
            process.arguments =
                (preparation.map { ["-c", $0 + #"; exec "$0" "$@""#, BuiltTool.path] } ?? []) + arguments
            process.currentDirectoryURL = URL(filePath: home)
            process.environment = environment
            process.standardOutput = output ?? files.out.handle
            process.standardError = files.err.handle
            switch input {
            case .empty: process.standardInput = FileHandle.nullDevice
            case .handle(let handle): process.standardInput = handle
            case .text(let text):
                let file = try emptyFile("in")
                try Data(text.utf8).write(to: file.url)
                process.standardInput = try FileHandle(forReadingFrom: file.url)
            }
            try await finish(process, started)
            let signal = process.terminationReason == .uncaughtSignal
            return Outcome(
                code: process.terminationStatus + (signal ? 128 : 0), output: try text(files.out.url),
                errors: try text(files.err.url))
        }
    }

    /// A test's time limit cancels its task: then the process is killed, and the run ends.
    private func finish(
        _ process: Process, _ started: (@Sendable (RunningTool) -> Void)?
    ) async throws {
        let running = RunningTool(process)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                process.terminationHandler = { _ in continuation.resume() }
                do {
                    try process.run()
                    started?(running)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            running.send(SIGKILL)
        }
    }

    /// Ours, with a home of its own and no proxy on the way to the loopback.
    private var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment.filter {
            !$0.key.lowercased().hasSuffix("_proxy")
        }
        environment["HOME"] = home
        environment["XDG_STATE_HOME"] = home + "/state"
        environment["XDG_CACHE_HOME"] = home + "/.cache"
        environment["LLVM_PROFILE_FILE"] = "/dev/null"
        return environment.merging(changes) { $1 }
    }

    private func emptyFile(_ name: String) throws -> (url: URL, handle: FileHandle) {
        let url = URL(filePath: "\(home)/.\(name)-\(UUID().uuidString)")
        try Data().write(to: url)
        return (url, try FileHandle(forWritingTo: url))
    }

    private func text(_ url: URL) throws -> String {
        defer { try? FileManager.default.removeItem(at: url) }
        return String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }
}

/// A process that was started.
struct RunningTool: Sendable {
    private let process: Process

    init(_ process: Process) { self.process = process }

    /// How many descriptors it has open, on Linux.
    var descriptorCount: Int {
        let folder = "/proc/\(process.processIdentifier)/fd"
        return (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }

    /// Sends a signal to it, if it still runs.
    func send(_ signal: Int32) {
        if process.isRunning { kill(process.processIdentifier, signal) }
    }
}

extension TemporaryFolder {
    /// Without the empty folders that Foundation makes in a home for the network, on Linux.
    borrowing func visibleNames() throws -> [String] { try names().filter { !$0.hasPrefix(".") } }
}
