import Foundation

/// The compiler that built this test, and its products.
struct Toolchain: Sendable {
    /// The command that starts the compiler.
    let compiler: [String]
    /// The folder into which the package was built, such as `.build/debug`.
    let products: URL
    /// The object files of the library's modules, by module.
    let objects: [String: [String]]
    /// Changes whenever the compiler does, or what a program can see of one of the library's modules.
    private(set) var fingerprint = ""

    /// The one toolchain of this process, or the reason why it was not found.
    static let current = Result { try Toolchain() }

    /// The folder of the compiled modules.
    var modules: URL { products.appending(path: "Modules") }
    /// The tests' own folder, removed with the build.
    var cache: URL { products.appending(path: "DocumentationTests.cache") }

    private init() throws {
        compiler = try Self.findCompiler()
        products = try Self.findProducts()
        objects = try Self.findObjects(in: products)
        fingerprint = try findFingerprint()
    }

    /// The reason why a toolchain cannot be used.
    struct Missing: Error, CustomStringConvertible {
        var description: String
    }

    private static func findCompiler() throws -> [String] {
        #if os(macOS)
            return ["/usr/bin/xcrun", "swiftc"]
        #else
            let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
            let candidates = folders.map { "\($0)/swiftc" }
            guard let found = candidates.first(where: FileManager.default.isExecutableFile) else {
                throw Missing(description: "There is no swiftc on PATH.")
            }
            return [found]
        #endif
    }

    /// Walks up from the running test bundle, whatever the `--scratch-path`.
    private static func findProducts() throws -> URL {
        for start in [Bundle(for: Anchor.self).bundleURL, Bundle.main.bundleURL] {
            var folder = start.resolvingSymlinksInPath()
            while folder.pathComponents.count > 1 {
                let module = folder.appending(path: "Modules/PromisedSystem.swiftmodule")
                if FileManager.default.fileExists(atPath: module.path) { return folder }
                folder.deleteLastPathComponent()
            }
        }
        throw Missing(description: "No folder above \(Bundle.main.bundlePath) has a folder Modules.")
    }

    /// Reads which objects SwiftPM linked into the test bundle.
    ///
    /// The folders contain more: the objects of files that have been removed or renamed since.
    private static func findObjects(in products: URL) throws -> [String: [String]] {
        let names = try FileManager.default.contentsOfDirectory(atPath: products.path)
        guard let name = names.first(where: { $0.hasSuffix("PackageTests.product") }) else {
            throw Missing(
                description: "\(products.path) has no list of linked files (*PackageTests.product).")
        }
        let list = products.appending(path: "\(name)/Objects.LinkFileList")
        // Quotes surround a path that contains spaces.
        let paths = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map {
            $0.trimmingCharacters(in: ["'", "\""])
        }
        return Dictionary(grouping: paths) {
            URL(filePath: $0).pathComponents.last { $0.hasSuffix(".build") }?.replacing(".build", with: "")
                ?? ""
        }
    }

    private final class Anchor {}
}

extension Toolchain {
    /// The command that starts `swift package` of the same toolchain.
    var packageManager: [String] {
        #if os(macOS)
            ["/usr/bin/xcrun", "swift", "package"]
        #else
            [URL(filePath: compiler[0]).deletingLastPathComponent().appending(path: "swift").path, "package"]
        #endif
    }

    /// The flags for the fastest linker that is part of the toolchain: twice as fast as the standard one, on Linux.
    var linker: [String] {
        let fast = URL(filePath: compiler[0]).deletingLastPathComponent().appending(path: "ld.lld").path
        return FileManager.default.isExecutableFile(atPath: fast) ? ["-use-ld=lld"] : []
    }

    /// The flags that this test was built with and that everything linked with its objects needs too.
    var instrumentation: [String] {
        var flags: [String] = []
        if isLoaded("__tsan_init") { flags.append("-sanitize=thread") }
        if isLoaded("__asan_init") { flags.append("-sanitize=address") }
        if ProcessInfo.processInfo.environment["LLVM_PROFILE_FILE"] != nil {
            flags += ["-profile-generate", "-profile-coverage-mapping"]
        }
        return flags
    }

    private func isLoaded(_ symbol: String) -> Bool { dlsym(dlopen(nil, RTLD_NOW), symbol) != nil }

    /// Changes whenever one of these files does.
    func fingerprint(of files: [String]) -> String {
        files.map { path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            let date = attributes?[.modificationDate] as? Date
            return "\(path) \(date?.timeIntervalSince1970 ?? 0) \(attributes?[.size] ?? 0)\n"
        }.joined()
    }

    /// Changes whenever the compiler does, or what a program can see of one of the library's modules.
    ///
    /// A build that changes only function bodies rewrites the modules' files with equal contents. The contents last seen
    /// are kept beside the programs, under a name that is replaced when they differ.
    fileprivate func findFingerprint() throws -> String {
        let folder = cache.appending(path: "modules")
        let manager = FileManager.default
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        let name = folder.appending(path: "name")
        let files = Package.modules.map { "\($0).swiftmodule" }
        let isKnown =
            manager.fileExists(atPath: name.path)
            && files.allSatisfy { file in
                manager.contentsEqual(
                    atPath: modules.appending(path: file).path, andPath: folder.appending(path: file).path)
            }
        if !isKnown {
            try? manager.removeItem(at: name)
            for file in files {
                let copy = folder.appending(path: file)
                try? manager.removeItem(at: copy)
                try manager.copyItem(at: modules.appending(path: file), to: copy)
            }
            try UUID().uuidString.write(to: name, atomically: true, encoding: .utf8)
        }
        return try String(contentsOf: name, encoding: .utf8) + "\n"
            + fingerprint(of: [compiler[compiler.count - 1]])
    }
}
