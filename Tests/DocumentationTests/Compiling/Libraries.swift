import Foundation

/// The library's modules as dynamic libraries, each linked once: a program that is linked with one is linked faster, and
/// runs with the modules of the next build too.
actor Libraries {
    static let shared = Libraries()

    private var linked: [[String]: Task<URL, any Error>] = [:]

    /// The library that contains the objects of the named modules.
    func library(of modules: [String], _ toolchain: Toolchain) async throws -> URL {
        let task =
            linked[modules]
            ?? Task { try await Self.link(modules, toolchain) }
        linked[modules] = task
        return try await task.value
    }

    private static func link(_ modules: [String], _ toolchain: Toolchain) async throws -> URL {
        let folder = toolchain.cache.appending(path: "library-\(modules.joined(separator: "-"))")
        #if os(macOS)
            let library = folder.appending(path: "libExamples.dylib")
            let name = ["-Xlinker", "-install_name", "-Xlinker", "@rpath/libExamples.dylib"]
        #else
            let library = folder.appending(path: "libExamples.so")
            let name = ["-Xlinker", "-soname", "-Xlinker", "libExamples.so"]
        #endif
        let objects = modules.flatMap { toolchain.objects[$0] ?? [] }
        // The compiler writes what is to be linked into a file of this name, beside the first object: two libraries that are
        // linked at the same time must not share it.
        let module = modules.joined(separator: "_")
        let command =
            toolchain.compiler + ["-emit-library", "-module-name", module, "-o", library.path] + name
            + toolchain.linker + toolchain.instrumentation + objects
        let key =
            toolchain.linker.joined()
            + toolchain.fingerprint(of: objects + [toolchain.compiler[toolchain.compiler.count - 1]])
        let keyFile = folder.appending(path: "linked")
        if (try? String(contentsOf: keyFile, encoding: .utf8)) == key { return library }
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let outcome = try await Subprocess.run(command, in: folder)
        guard outcome.isSuccess else { throw Toolchain.Missing(description: outcome.report) }
        try key.write(to: keyFile, atomically: true, encoding: .utf8)
        return library
    }
}
