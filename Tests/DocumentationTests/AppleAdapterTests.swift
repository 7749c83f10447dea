import Foundation
import Testing

/// What needs a framework of Apple's compiles against stubs of those: each file of `Sources/PromisedSystem/Apple`.
@Suite("Adapters", .timeLimit(.minutes(10)))
struct AppleAdapterTests {
    private static let folder = "Sources/PromisedSystem/Apple"
    private static let stubs = "Tests/Fixtures/Stubs"
    /// Those of the package's settings that an import or a type may break.
    private static let features = [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault",
        "InferIsolatedConformances", "ImmutableWeakCaptures",
    ]

    @Test("SA-60: the compiler takes", arguments: Package.names(in: folder))
    func compiles(file: String) async throws {
        let compiler = try Compiler.current
        let text = try Package.text("\(Self.folder)/\(file)")
        let features = Self.features.flatMap { ["-enable-upcoming-feature", $0] }
        var flags = ["-parse-as-library", "-warnings-as-errors"] + features
        for stub in Package.names(in: Self.stubs) {
            flags += ["-I", try await module(stub, for: file, compiler).path]
        }
        // The file is a part of the module, and uses what that has in public only.
        let source = """
            public import PromisedSystem
            #sourceLocation(file: "\(Package.root.appending(path: "\(Self.folder)/\(file)").path)", line: 1)
            \(text)
            """
        let report = try await compiler.check(
            [.init(name: "adapter.swift", text: source)], flags: flags,
            in: compiler.slot("adapter-\(file)"))
        #expect(report == nil)
    }

    @Test("An adapter that does not fit is noticed: the stubs are seen")
    func isSeen() async throws {
        let compiler = try Compiler.current
        var flags = ["-parse-as-library"]
        for stub in Package.names(in: Self.stubs) {
            flags += ["-I", try await module(stub, for: "wrong", compiler).path]
        }
        let text = "#if canImport(SwiftUI) && canImport(Combine)\nlet wrong: Int = \"\"\n#endif"
        let report = try await compiler.check(
            [.init(name: "adapter.swift", text: text)], flags: flags, in: compiler.slot("adapter-wrong"))
        #expect(report?.contains("cannot convert value") == true)
    }

    @Test(
        "SR-47: every line of an adapter stands in a condition on its framework",
        arguments: Package.names(in: folder))
    func isConditional(file: String) throws {
        let lines = try Package.text("\(Self.folder)/\(file)").split(separator: "\n")
        #expect(lines.first?.wholeMatch(of: #/#if canImport\(\w+\)/#) != nil)
        #expect(lines.last == "#endif")
        #expect(lines.dropFirst().dropLast().allSatisfy { !$0.hasPrefix("#") })
    }

    /// - Returns: The folder in which the stub's module is.
    private func module(_ stub: String, for user: String, _ compiler: Compiler) async throws -> URL {
        let name = String(stub.prefix { $0 != "." })
        // One for each that asks: two tests may do so at the same time.
        let slot = compiler.slot("stub-\(name)-\(user)")
        let flags = [
            "-parse-as-library", "-module-name", name, "-emit-module-path",
            slot.appending(path: "\(name).swiftmodule").path,
        ]
        let report = try await compiler.check(
            [.init(name: stub, text: try Package.text("\(Self.stubs)/\(stub)"))], flags: flags, in: slot)
        #expect(report == nil)
        return slot
    }
}
