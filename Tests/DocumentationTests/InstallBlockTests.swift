import Foundation
import TestSupport
import Testing

/// README's manifest is what a new user copies.
@Suite("Install block", .compiler, .timeLimit(.minutes(10)))
struct InstallBlockTests {
    @Test(
        "README's manifest finds the library and the test kit, whatever the name of this package's folder",
        arguments: isStress ? ["PromisedSystem", "promised-system-1.0", "checkout"] : ["checkout"])
    func anyFolder(name: String) async throws {
        let program = try #require(
            Documentation.current.programs.first { $0.place.file == "README.md" && $0.kind == .manifest })
        let manifest = program.fences.map(\.code).joined()
        #expect(manifest.contains(".testTarget("))
        for module in Package.testKit { #expect(manifest.contains("\"\(module)\"")) }
        try await check(
            manifest.replacing("../PromisedSystem", with: "../\(name)"),
            targets: ["Sources/MyApp", "Tests/MyAppTests"], besides: name)
    }

    @Test("the template's manifest finds the package that is beside a copy of the template")
    func template() async throws {
        let manifest = try Package.text("Example/Template/Package.swift")
        #expect(manifest.contains("path: \"../..\""))
        try await check(
            manifest.replacing("../..", with: "../PromisedSystem"), targets: ["Features", "App", "Tests"],
            besides: "PromisedSystem")
    }

    /// Resolves a manifest in a folder beside this package, whose folder has the name.
    private func check(_ manifest: String, targets: [String], besides name: String) async throws {
        try await withTemporaryFolder { folder in
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: name), withDestinationURL: Package.root)
            let app = folder.appending(path: "app")
            for target in targets {
                let target = app.appending(path: target)
                try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
                try "".write(to: target.appending(path: "Empty.swift"), atomically: false, encoding: .utf8)
            }
            try manifest.write(
                to: app.appending(path: "Package.swift"), atomically: false, encoding: .utf8)
            // Loads the packages and resolves every target's products, and builds nothing.
            let command = try Toolchain.current.get().packageManager + ["show-dependencies"]
            let outcome = try await Subprocess.run(command, in: app)
            #expect(outcome.isSuccess, "\(outcome.report)")
        }
    }
}
