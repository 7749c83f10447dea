import Testing

/// The published product page, as the documentation shows it, in both kinds of modules. Unchanged it is a
/// fence like any other; here is the other half.
@Suite("Published page", .timeLimit(.minutes(10)))
struct PublishedPageTests {
    @Test("PK-28, PK-31: with the main actor by default, nonisolated is the only change")
    func mainActorModule() async throws {
        let page = try #require(
            Documentation.current.programs.first {
                $0.place.file.hasSuffix("ComingFromPromisedArchitectureKit.md") && $0.kind == .run
            })
        var program = page
        program.isMainActor = true
        program.fences = page.fences.map { fence in
            var fence = fence
            fence.code = Self.marked(fence.code)
            return fence
        }
        let compiler = try Compiler.current
        let problems = try await ProgramCheck(compiler: compiler)
            .problems(of: program, in: compiler.slot("published-page-main-actor"))
        for problem in problems { problem.record() }
    }

    /// `nonisolated` before the value types and the free functions; the classes stay on the main actor.
    private static func marked(_ code: String) -> String {
        code.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let isMarked = ["struct ", "enum ", "func "].contains { line.hasPrefix($0) }
            return isMarked ? "nonisolated " + line : String(line)
        }.joined(separator: "\n")
    }
}
