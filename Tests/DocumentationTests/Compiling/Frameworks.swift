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
    func flags() async throws -> [String] { try await Self.modules.get(compiler).flags }

    /// The stubs' objects, for programs that run.
    func objects() async throws -> [String] { try await Self.modules.get(compiler).objects }

    private static let modules = Once { (compiler: Compiler) in
        var (flags, objects) = (try await macros(compiler), [String]())
        for stub in Package.names(in: stubs) {
            let (folder, object) = try await module(stub, flags, compiler)
            flags += ["-I", folder.path]
            objects.append(object.path)
        }
        return (flags: flags, objects: objects)
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
        // It uses only public declarations of the library, in whose modules nothing is isolated by default.
        let text = try Package.text(path).replacing("\n    extension ", with: "\n    nonisolated extension ")
        return .init(
            name: "adapter-\(parts[parts.count - 1])",
            text: """
                public import \(parts[1])
                #sourceLocation(file: "\(Package.root.appending(path: path).path)", line: 1)
                \(text)
                """)
    }

    /// - Returns: The folder that contains the stub's module, and its object.
    private static func module(
        _ stub: String, _ flags: [String], _ compiler: Compiler
    ) async throws -> (URL, URL) {
        let name = String(stub.prefix { $0 != "." })
        let slot = compiler.slot("stub-\(name)")
        let flags =
            [
                "-c", "-module-name", name, "-emit-module-path",
                slot.appending(path: "\(name).swiftmodule").path,
            ] + flags
        return (slot, try await product("\(name).o", of: "\(stubs)/\(stub)", flags, compiler, in: slot))
    }

    /// The flags with which the compiler finds the macros of the stubs.
    private static func macros(_ compiler: Compiler) async throws -> [String] {
        let (name, host) = ("PreviewsMacros", compiler.syntax.path)
        let flags = [
            "-emit-library", "-module-name", name, "-I", host, "-L", host, "-Xlinker", "-rpath", "-Xlinker",
            host, "-lSwiftSyntax", "-lSwiftSyntaxMacros",
        ]
        let library = try await product(
            "lib\(name).so", of: "Tests/Fixtures/Macros/\(name).swift", flags, compiler,
            in: compiler.slot("macros"))
        return ["-load-plugin-library", library.path]
    }

    private static func product(
        _ product: String, of path: String, _ flags: [String], _ compiler: Compiler, in slot: URL
    ) async throws -> URL {
        let name = String(path.split(separator: "/").last ?? "")
        let source = Compiler.Source(name: name, text: try Package.text(path))
        let report = try await compiler.build(source, to: product, flags: flags, in: slot)
        if let report { throw Problem(place: Place(file: path, line: 1), message: report) }
        return slot.appending(path: product)
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
