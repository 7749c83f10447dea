import Testing

/// The compiler rejects what the library forbids: one file of `Tests/Fixtures/MustNotCompile` for each rule.
@Suite("Must not compile", .compiler, .timeLimit(.minutes(10)))
struct MustNotCompileTests {
    private static let folder = "Tests/Fixtures/MustNotCompile"

    @Test("the compiler rejects", arguments: Package.names(in: folder).filter { $0.hasSuffix(".swift") })
    func isRefused(file: String) async throws {
        let path = "\(Self.folder)/\(file)"
        do {
            let fixture = try Fixture(file: path, text: try Package.text(path))
            let compiler = try Compiler.current
            let problems = try await FixtureCheck(compiler: compiler).problems(
                of: fixture, in: compiler.slot(file))
            for problem in problems { problem.record() }
        } catch let problem as Problem {
            problem.record()
        }
    }
}
