import Foundation
import Promise

@testable import PromisedSources

/// A file system one of whose operations fails, or is the last one that the process begins.
final class FaultyFiles: FileOperations {
    enum Fault: Sendable, Equatable {
        case error(Int32)
        /// This operation is not executed, or half of it, and no later one is.
        case stop
    }

    struct Stopped: Error {}

    private struct State {
        var names: [String] = []
        var fault: Fault?
        var number = 0
        var isStopped = false
        var onOperation: (@Sendable (String) -> Void)?
    }

    private let state = Lock(State())
    private let base = SystemFiles()

    /// The names of the operations so far.
    var names: [String] { state.withLock { $0.names } }
    var hasStruck: Bool { state.withLock { $0.number > 0 && $0.names.count >= $0.number } }

    /// Lets the `number`-th operation from now on fail.
    func plan(_ fault: Fault?, at number: Int) {
        state.withLock { $0 = State(fault: fault, number: number) }
    }

    /// Calls a closure before each operation, with its name.
    func onOperation(_ body: (@Sendable (String) -> Void)?) { state.withLock { $0.onOperation = body } }

    private func step<Result>(
        _ name: String, half: () throws -> Void = {}, _ body: () throws -> Result
    ) throws -> Result {
        let fault = state.withLock { state -> Fault? in
            state.names.append(name)
            if state.isStopped { return .stop }
            guard let fault = state.fault, state.names.count == state.number else { return nil }
            if fault == .stop { state.isStopped = true }
            return fault
        }
        state.withLock { $0.onOperation }?(name)
        switch fault {
        case nil: return try body()
        case .error(let code):
            try half()
            throw FileFault.system(code)
        case .stop:
            try half()
            throw Stopped()
        }
    }

    func status(of path: String) throws -> FileStatus? { try step("status") { try base.status(of: path) } }
    func read(_ path: String, limit: Int) throws -> (Data, FileStatus)? {
        try step("read") { try base.read(path, limit: limit) }
    }
    func create(_ path: String, permissions: UInt16) throws -> Int32 {
        try step("create") { try base.create(path, permissions: permissions) }
    }
    func write(_ data: Data, to file: Int32) throws {
        try step("write") {
            try base.write(data.prefix(data.count / 2), to: file)
        } _: {
            try base.write(data, to: file)
        }
    }
    func setDate(_ date: Date, of file: Int32) throws {
        try step("setDate") { try base.setDate(date, of: file) }
    }
    func sync(_ file: Int32) throws -> FileStatus { try step("sync") { try base.sync(file) } }
    // As the system does it for a process that has ended.
    func close(_ file: Int32) { base.close(file) }
    func rename(_ path: String, to other: String) throws {
        try step("rename") { try base.rename(path, to: other) }
    }
    func link(_ path: String, as other: String) throws { try step("link") { try base.link(path, as: other) } }
    func remove(_ path: String) throws { try step("remove") { try base.remove(path) } }
    func makeFolder(_ path: String) throws { try step("makeFolder") { try base.makeFolder(path) } }
    func syncFolder(_ path: String) throws { try step("syncFolder") { try base.syncFolder(path) } }
    func names(in folder: String) throws -> [String] { try step("names") { try base.names(in: folder) } }
}
