import Foundation
import Synchronization
import Testing

@testable import ProductPage
@testable import ProductReading
@testable import ToolSupport

/// How a run of the program ended, and what it wrote.
struct Outcome: Sendable, Equatable {
    /// The exit code; of a program that a signal ended, 128 and the signal's number, as a shell says it.
    var code: Int32
    var output: String
    var errors: String

    init(_ code: Int32, _ output: String = "", errors: String = "") {
        (self.code, self.output, self.errors) = (code, output, errors)
    }

    /// The lines of standard output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// The built program, run with a folder as its home, and in it.
///
/// ```swift
/// let home = try TemporaryFolder(["lamp.json": lamp])
/// let outcome = try await home.run("lamp.json --list")
/// ```
extension TemporaryFolder {
    /// Four at a time: most of them wait for something.
    private static let gate = Gate(width: 4)

    /// A shell that puts the tests in the background has them ignore interrupts, and a program that they start ignores
    /// what they ignore.
    private static let resetsSignalHandlers: Void = {
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }()

    /// Runs it to its end, with arguments that have no spaces.
    func run(
        _ line: String, input: String = "", environment: [String: String] = [:],
        after preparation: String? = nil
    ) async throws -> Outcome {
        let words = line.split(separator: " ").map(String.init)
        return try await run(words, input: input, environment: environment, after: preparation)
    }

    /// Runs it to its end. Input and output go through files, which cannot fill up as pipes do.
    ///
    /// - Parameters:
    ///   - environment: What is different in its environment.
    ///   - preparation: What a shell does first, which then becomes the program.
    ///   - handles: What is open already, in the place of input and output.
    ///   - started: Called with the process as soon as it runs.
    func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:],
        after preparation: String? = nil, handles: (input: FileHandle?, output: FileHandle?) = (nil, nil),
        started: (@Sendable (RunningTool) -> Void)? = nil
    ) async throws -> Outcome {
        let home = path
        return try await Self.gate.pass {
            try Task.checkCancellation()
            _ = Self.resetsSignalHandlers
            let files = try ["in", "out", "err"].map { name in
                let url = URL(filePath: "\(home)/.\(name)-\(UUID().uuidString)")
                try Data(name == "in" ? input.utf8 : "".utf8).write(to: url)
                return url
            }
            defer { for file in files { try? FileManager.default.removeItem(at: file) } }
            let process = Process()
            process.executableURL = URL(filePath: preparation == nil ? BuiltTool.path : "/bin/sh")
            process.arguments =
                (preparation.map { ["-c", $0 + #"; exec "$0" "$@""#, BuiltTool.path] } ?? []) + arguments
            process.currentDirectoryURL = URL(filePath: home)
            process.environment = BuiltTool.environment(home: home).merging(environment) { $1 }
            process.standardInput = try handles.input ?? FileHandle(forReadingFrom: files[0])
            process.standardOutput = try handles.output ?? FileHandle(forWritingTo: files[1])
            process.standardError = try FileHandle(forWritingTo: files[2])
            let time = ContinuousClock()
            let duration = try await time.measure { try await Self.finish(process, started) }
            let isSignal = process.terminationReason == .uncaughtSignal
            func text(_ url: URL) throws -> String {
                String(decoding: try Data(contentsOf: url), as: UTF8.self)
            }
            return Outcome(
                process.terminationStatus + (isSignal ? 128 : 0),
                try text(files[1]).withoutSlowness(after: duration), errors: try text(files[2]))
        }
    }

    /// A test's time limit cancels its task: then the process is killed, and the run ends.
    private static func finish(
        _ process: Process, _ started: (@Sendable (RunningTool) -> Void)?
    ) async throws {
        let running = RunningTool(process: process)
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

    /// Runs it with pipes as its input and output, and talks with it meanwhile, on a thread of its own.
    func talk(
        _ line: String, environment: [String: String] = [:], _ talk: @escaping @Sendable (RunningTool) -> Void
    ) async throws -> Outcome {
        let (input, output) = (Channel(), Channel())
        return try await run(
            line.split(separator: " ").map(String.init), environment: environment,
            handles: (input.reading, output.writing)
        ) { tool in
            // What the program holds now is its own: the pipes end when it does.
            input.closeReading()
            output.closeWriting()
            Thread.detachNewThread {
                talk(RunningTool(process: tool.process, input: input, output: output))
                input.closeWriting()
                while output.readLine() != nil {}
            }
        }
    }
}

extension String {
    /// Without the states that a load shows only if it takes five seconds, which depends on the load of the machine.
    ///
    /// - Parameter duration: How long the program ran: a quick run must not say that it is slow.
    func withoutSlowness(after duration: Duration = .seconds(5)) -> String {
        if duration < .seconds(5) { return self }
        return split(separator: "\n", omittingEmptySubsequences: false)
            .filter { $0 != "still loading" && !$0.contains(#""slow":true"#) }.joined(separator: "\n")
    }
}

/// A process that was started.
struct RunningTool: Sendable {
    let process: Process
    var input = Channel()
    var output = Channel()

    /// Sends a signal to it, if it still runs.
    func send(_ signal: Int32) {
        if process.isRunning { kill(process.processIdentifier, signal) }
    }

    /// How many descriptors it has open, on Linux.
    var descriptorCount: Int {
        let folder = "/proc/\(process.processIdentifier)/fd"
        return (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }

    /// How much memory it took at its peak, in MiB, on Linux; 0 elsewhere.
    var peak: Int {
        let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
        return (kilobytes ?? 0) / 1024
    }
}

/// A failure: what is asked for, the exit code, and the line on standard error. Of a line that ends with an ellipsis
/// only the beginning is compared.
struct Failure: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let code: Int32
    let line: String

    init(_ line: String, _ code: Int32, _ expected: String) {
        self.init(line.split(separator: " ").map(String.init), code, expected)
    }

    init(_ arguments: [String], _ code: Int32, _ expected: String) {
        (self.arguments, self.code, line) = (arguments, code, "product-page: " + expected)
    }

    var testDescription: String { arguments.joined(separator: " ").visible }

    /// Checks everything that a failure promises: one line on standard error, nothing on standard output, and the
    /// cart and the folder as they were.
    ///
    /// - Parameter preparation: What a shell does there first.
    func expect(
        _ files: [String: String] = [:], after preparation: String? = nil,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) async throws {
        let home = try TemporaryFolder(files)
        _ = try CartFile(path: home.file("cart.json")).change { $0 = Cart(lines: [.oneB]) }
        let before = try home.read("cart.json")
        let outcome = try await home.run(
            ["--cart", "cart.json", "--latency", "0", "--timeout", "3600"] + arguments, after: preparation)
        #expect(outcome.code == code, sourceLocation: sourceLocation)
        #expect(outcome.output == "", sourceLocation: sourceLocation)
        let isWhole = !line.hasSuffix("…")
        let found = isWhole ? outcome.errors : String(outcome.errors.prefix(line.count - 1))
        #expect(found == (isWhole ? line + "\n" : String(line.dropLast())), sourceLocation: sourceLocation)
        #expect(outcome.errors.split(separator: "\n").count == 1, sourceLocation: sourceLocation)
        #expect(outcome.errors.hasSuffix("\n"), sourceLocation: sourceLocation)
        #expect(try home.read("cart.json") == before, sourceLocation: sourceLocation)
        if preparation == nil {
            #expect(
                try home.visibleNames() == (files.keys + ["cart.json"]).sorted(),
                sourceLocation: sourceLocation)
        }
    }
}
