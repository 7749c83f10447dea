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
        try await withTemporaryFolder { folder in
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: name), withDestinationURL: Package.root)
            let app = folder.appending(path: "app")
            for target in ["Sources/MyApp", "Tests/MyAppTests"] {
                let target = app.appending(path: target)
                try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
                try "".write(to: target.appending(path: "Empty.swift"), atomically: false, encoding: .utf8)
            }
            try manifest.replacing("../PromisedSystem", with: "../\(name)")
                .write(to: app.appending(path: "Package.swift"), atomically: false, encoding: .utf8)
            // Loads the packages and resolves every target's products, and builds nothing.
            let command = try Toolchain.current.get().packageManager + ["show-dependencies"]
            let outcome = try await Subprocess.run(command, in: app)
            #expect(outcome.isSuccess, "\(outcome.report)")
        }
    }
}
