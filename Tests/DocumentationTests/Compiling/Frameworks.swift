import Foundation

/// Apple's frameworks, as far as the stubs in `Tests/Fixtures/Stubs` declare them.
struct Frameworks: Sendable {
    let compiler: Compiler

    /// Whether stubs stand for them. A Mac has them: there the adapters are built, and `.ci/screens` runs the screens.
    #if os(macOS)
        static let areStubs = false
    #else
        static let areStubs = true
    #endif

    private static let stubs = "Tests/Fixtures/Stubs"
    /// The library's files that need one of them.
    static let adapters = Package.sources.filter { $0.contains("/Apple/") }
    /// A binding as SwiftUI's, which other adapters and programs use.
    private static let binding = "Sources/PromisedSystem/Apple/EventBinding+SwiftUI.swift"

    /// The flags with which the compiler finds every stub.
    func flags() async throws -> [String] { try await Self.stubFlags.get(compiler) }

    private static let stubFlags = Once { (compiler: Compiler) in
        var flags: [String] = []
        for stub in Package.names(in: stubs) { flags += ["-I", try await module(stub, compiler).path] }
        return flags
    }

    /// A file of the library that needs a framework and those that it uses, to be compiled as part of another module.
    static func adapter(_ path: String) throws -> [Compiler.Source] {
        let isOfModels = path.contains("/PromisedModels/")
        let used = isOfModels ? [binding] + adapters.filter { $0.contains("/ObservedModel") } : []
        return try (used.filter { $0 != path } + [path]).map(source)
    }

    /// The adapters that a program of the documentation may use.
    static func adapters(for program: Program) throws -> [Compiler.Source] {
        let models =
            program.imports("PromisedModels") ? adapters.filter { $0.contains("/PromisedModels/") } : []
        return try ([binding] + models).map(source)
    }

    private static func source(_ path: String) throws -> Compiler.Source {
        let parts = path.split(separator: "/")
        // It uses only public declarations of the library.
        return .init(
            name: "adapter-\(parts[parts.count - 1])",
            text: """
                public import \(parts[1])
                #sourceLocation(file: "\(Package.root.appending(path: path).path)", line: 1)
                \(try Package.text(path))
                """)
    }

    /// - Returns: The folder that contains the stub's module.
    private static func module(_ stub: String, _ compiler: Compiler) async throws -> URL {
        let name = String(stub.prefix { $0 != "." })
        let slot = compiler.slot("stub-\(name)")
        let flags = [
            "-parse-as-library", "-module-name", name, "-emit-module-path",
            slot.appending(path: "\(name).swiftmodule").path,
        ]
        let path = "\(stubs)/\(stub)"
        let report = try await compiler.check(
            [.init(name: stub, text: try Package.text(path))], flags: flags, in: slot)
        if let report { throw Problem(place: Place(file: path, line: 1), message: report) }
        return slot
    }
}

/// A value that several tests need, computed once.
private actor Once<Input: Sendable, Value: Sendable> {
    private let compute: @Sendable (Input) async throws -> Value
    private var task: Task<Value, any Error>?

    init(_ compute: @escaping @Sendable (Input) async throws -> Value) { self.compute = compute }

    func get(_ input: Input) async throws -> Value {
        let task = task ?? Task { [compute] in try await compute(input) }
        self.task = task
        return try await task.value
    }
}
