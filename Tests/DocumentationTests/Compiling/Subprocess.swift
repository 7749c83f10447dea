import Foundation

/// Runs programs, two at a time.
enum Subprocess {
    /// How a program ended and what it wrote.
    struct Outcome: Sendable {
        var status: Int32
        var isKilled: Bool
        var output: String
        var errors: String

        var isSuccess: Bool { status == 0 && !isKilled }
        /// All of it, for a message.
        var report: String {
            let end = isKilled ? "killed by signal \(status)" : "exit code \(status)"
            return [output, errors, end].filter { !$0.isEmpty }.joined(separator: "\n")
        }
    }

    private static let gate = Gate(width: 2)

    /// Runs `command` in `folder` without input; what it writes goes through files there.
    ///
    /// Files cannot fill up as pipes do, and nobody has to read them while the program runs. The program
    /// is killed when the task is cancelled, for example by a test's time limit.
    static func run(_ command: [String], in folder: URL) async throws -> Outcome {
        try await gate.pass {
            try Task.checkCancellation()
            let process = Process()
            process.executableURL = URL(filePath: command[0])
            process.arguments = Array(command.dropFirst())
            process.currentDirectoryURL = folder
            process.environment = environment
            process.standardInput = FileHandle.nullDevice
            let output = folder.appending(path: "output.txt")
            let errors = folder.appending(path: "errors.txt")
            process.standardOutput = try emptyFile(output)
            process.standardError = try emptyFile(errors)
            try await finish(process)
            return Outcome(
                status: process.terminationStatus, isKilled: process.terminationReason == .uncaughtSignal,
                output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
                errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
        }
    }

    private static func finish(_ process: Process) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                process.terminationHandler = { _ in continuation.resume() }
                do {
                    try process.run()
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            // Before it has started, or after it has ended, there is nobody to kill.
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }
    }

    /// Ours, except that a test run that measures coverage does not measure the documentation's programs.
    private static var environment: [String: String] {
        var environment = ProcessInfo.processInfo.environment
        if environment["LLVM_PROFILE_FILE"] != nil { environment["LLVM_PROFILE_FILE"] = "/dev/null" }
        return environment
    }

    private static func emptyFile(_ url: URL) throws -> FileHandle {
        try Data().write(to: url)
        return try FileHandle(forWritingTo: url)
    }
}

/// Lets a limited number of tasks through at a time; the others wait in line.
private actor Gate {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(width: Int) { free = width }

    nonisolated func pass<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        await enter()
        do {
            let value = try await work()
            await leave()
            return value
        } catch {
            await leave()
            throw error
        }
    }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
