import Foundation

/// Runs programs, two at a time.
enum Subprocess {
    /// How a program ended and what it printed.
    struct Outcome: Sendable {
        var status: Int32
        var isKilled: Bool
        var output: String
        var errors: String

        var isSuccess: Bool { status == 0 && !isKilled }
        /// The complete output, for a message.
        var report: String {
            let end = isKilled ? "killed by signal \(status)" : "exit code \(status)"
            return [output, errors, end].filter { !$0.isEmpty }.joined(separator: "\n")
        }
    }

    private static let gate = Gate(width: 2)

    /// Runs `command` in `folder` without input; its output goes through files there.
    ///
    /// Files do not fill up as pipes do, so no reader is needed while the program runs. The program
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
            // Before its start or after its end there is no process to kill.
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        }
    }

    /// Ours, but if a test run measures coverage, it does not include the documentation's programs.
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

/// Lets a limited number of tasks through at a time; the others are queued.
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
