import Foundation
import Testing

/// Code that needs a framework of Apple's compiles against stubs: each file of `Sources/PromisedSystem/Apple`.
@Suite("Adapters", .timeLimit(.minutes(10)))
struct AppleAdapterTests {
    private static let folder = Frameworks.adapters
    /// The package's upcoming features that an import or a type may break.
    private static let features = [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault",
        "InferIsolatedConformances", "ImmutableWeakCaptures",
    ]

    @Test("SA-60: the compiler accepts", arguments: Package.names(in: folder))
    func compiles(file: String) async throws {
        let compiler = try Compiler.current
        let features = Self.features.flatMap { ["-enable-upcoming-feature", $0] }
        let flags =
            try await ["-parse-as-library", "-warnings-as-errors"] + features
            + Frameworks(compiler: compiler).flags()
        let report = try await compiler.check(
            [try Frameworks.adapter(file)], flags: flags, in: compiler.slot("adapter-\(file)"))
        #expect(report == nil)
    }

    @Test("An adapter that does not fit is rejected: the stubs are type-checked")
    func isSeen() async throws {
        let compiler = try Compiler.current
        let flags = try await ["-parse-as-library"] + Frameworks(compiler: compiler).flags()
        let text = "#if canImport(SwiftUI) && canImport(Combine)\nlet wrong: Int = \"\"\n#endif"
        let report = try await compiler.check(
            [.init(name: "adapter.swift", text: text)], flags: flags, in: compiler.slot("adapter-wrong"))
        #expect(report?.contains("cannot convert value") == true)
    }

    @Test(
        "SR-47: every line of an adapter is inside a condition on its framework",
        arguments: Package.names(in: folder))
    func isConditional(file: String) throws {
        let lines = try Package.text("\(Self.folder)/\(file)").split(separator: "\n")
        #expect(lines.first?.wholeMatch(of: #/#if canImport\(\w+\)/#) != nil)
        #expect(lines.last == "#endif")
        #expect(lines.dropFirst().dropLast().allSatisfy { !$0.hasPrefix("#") })
    }
}
