import Foundation

/// Compiles texts against the library as it was just built.
struct Compiler: Sendable {
    /// A file to compile.
    struct Source: Equatable, Sendable {
        var name: String
        var text: String
    }

    private let toolchain: Toolchain

    init(_ toolchain: Toolchain) { self.toolchain = toolchain }

    /// The compiler of this process.
    static var current: Compiler {
        get throws { Compiler(try Toolchain.current.get()) }
    }

    /// A folder that is kept between runs, one for each `name`.
    func slot(_ name: String) -> URL {
        toolchain.cache.appending(path: name.replacing("/", with: "-"))
    }

    /// Compiles far enough to emit every diagnostic, without a result.
    ///
    /// Type-checking alone is not enough: data races are diagnosed later, on the intermediate language.
    ///
    /// - Parameter isRefused: Whether the compiler is expected to reject the texts. Then that is remembered as well.
    /// - Returns: `nil` if it compiles; otherwise the compiler's output.
    func check(
        _ sources: [Source], flags: [String], isRefused: Bool = false, in slot: URL
    ) async throws -> String? {
        // Not to the null device: a compiler that runs as root may replace it by a file.
        let name = "example.sil"
        defer { try? FileManager.default.removeItem(at: slot.appending(path: name)) }
        let flags = ["-emit-sil", "-whole-module-optimization", "-o", name] + flags
        return try await compile(sources, flags: flags, isRefused: isRefused, in: slot)
    }

    /// Compiles and links a program with the named modules of the library; it is at `program(in: slot)`.
    ///
    /// - Returns: `nil` if it compiles; otherwise the compiler's output.
    func build(
        _ sources: [Source], linking modules: [String], flags: [String], in slot: URL
    ) async throws -> String? {
        let library = try await Libraries.shared.library(of: modules, toolchain)
        let flags =
            ["-o", program(in: slot).path, library.path, "-Xlinker", "-rpath", "-Xlinker"]
            + [library.deletingLastPathComponent().path] + toolchain.linker + toolchain.instrumentation
            + flags
        return try await compile(sources, flags: flags, in: slot)
    }

    /// Compiles one text to an object or a library, for others to use.
    ///
    /// - Parameter product: The name of the result, in the slot.
    /// - Returns: `nil` if it compiles; otherwise the compiler's output.
    func build(_ source: Source, to product: String, flags: [String], in slot: URL) async throws -> String? {
        try await compile([source], flags: ["-parse-as-library", "-o", product] + flags, in: slot)
    }

    /// The folder of the compiler's own SwiftSyntax, which a macro is linked with.
    var syntax: URL {
        URL(filePath: toolchain.compiler[toolchain.compiler.count - 1]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "../lib/swift/host").standardizedFileURL
    }

    /// Where `build` writes its result.
    func program(in slot: URL) -> URL { slot.appending(path: "program") }

    /// The compiler's folder with the module that manifests import.
    func manifestModules(in slot: URL) async throws -> URL {
        struct Answer: Decodable {
            struct Paths: Decodable { var runtimeResourcePath: String }
            var paths: Paths
        }
        let folder = try emptied(slot)
        let answer = try await Subprocess.run(toolchain.compiler + ["-print-target-info"], in: folder)
        let paths = try JSONDecoder().decode(Answer.self, from: Data(answer.output.utf8)).paths
        return URL(filePath: paths.runtimeResourcePath).appending(path: "pm/ManifestAPI")
    }

    private func compile(
        _ sources: [Source], flags: [String], isRefused: Bool = false, in slot: URL
    ) async throws -> String? {
        // The package's own build has already filled this cache with the system's modules.
        let cache = toolchain.products.appending(path: "ModuleCache")
        let common = [
            "-swift-version", "6", "-module-name", "Example", "-diagnostic-style", "llvm",
            "-I", toolchain.modules.path, "-module-cache-path", cache.path,
        ]
        let command = toolchain.compiler + common + flags + sources.map(\.name)
        // The complete input is the key: no hash, no collision.
        let texts = sources.map { "\($0.name)\n\($0.text)\n" }
        let key = ([toolchain.fingerprint] + command + texts).joined(separator: "\n")
        let verdict = Verdict(slot: slot, key: key)
        if verdict.isSuccess { return nil }
        if isRefused, let report = verdict.refusal { return report }

        let folder = try emptied(slot)
        for source in sources {
            try source.text.write(to: folder.appending(path: source.name), atomically: false, encoding: .utf8)
        }
        let outcome = try await Subprocess.run(command, in: folder)
        if outcome.isSuccess {
            try verdict.keepSuccess()
            return nil
        }
        // A failure that nobody expects is checked again each time.
        if isRefused, !outcome.isKilled { try verdict.keepRefusal(outcome.report) }
        return outcome.report
    }

    private func emptied(_ folder: URL) throws -> URL {
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // README's first program reads a file of the example, from the package's folder as a reader would.
        try? FileManager.default.createSymbolicLink(
            at: folder.appending(path: "Example"), withDestinationURL: Package.root.appending(path: "Example")
        )
        return folder
    }
}
