import Testing

/// The Swift code that the documentation shows compiles: README, the pages of `.github` and of the DocC catalogs,
/// and the examples in doc comments.
@Suite("Code fences", .timeLimit(.minutes(10)))
struct CodeFenceTests {
    @Test("every fence is closed and has a known attribute")
    func fencesCanBeRead() {
        for problem in Documentation.current.problems { problem.record() }
    }

    @Test("README shows a program that is run", .enabled(if: Package.exists("README.md")))
    func readmeHasAProgram() {
        #expect(Page.all.contains { $0.isInReadme && $0.program.kind == .run })
    }

    @Test(
        "a page's fence compiles without a warning, runs and prints what the page says",
        arguments: CompilerChecks.areIncluded ? Page.all : Page.all.filter(\.isInReadme))
    func pageIsTrue(page: Page) async throws {
        let compiler = try Compiler.current
        let check = ProgramCheck(compiler: compiler)
        for problem in try await check.problems(of: page.program, in: compiler.slot(page.slot)) {
            problem.record()
        }
    }

    @Test("the examples in doc comments compile", .compiler, arguments: Examples.all)
    func examplesCompile(examples: Examples) async throws {
        let compiler = try Compiler.current
        let check = ProgramCheck(compiler: compiler)
        for problem in try await check.problems(ofBodies: examples.programs, in: compiler.slot("\(examples)"))
        {
            problem.record()
        }
    }
}

/// A program that is compiled alone.
struct Page: Sendable, CustomTestStringConvertible {
    let program: Program
    /// Its number in its file, which does not change when lines move.
    let slot: String

    var testDescription: String { program.name }
    /// Whether every run checks it.
    var isInReadme: Bool { program.place.file == "README.md" }

    static var all: [Page] {
        let programs = Documentation.current.programs
            .filter { $0.kind != .body && (Frameworks.areStubs || !$0.needsFrameworks) }
        return Dictionary(grouping: programs, by: \.place.file).values.flatMap { programs in
            programs.enumerated().map { Page(program: $1, slot: "\($1.place.file)-\($0)") }
        }.sorted {
            ($0.program.place.file, $0.program.place.line) < ($1.program.place.file, $1.program.place.line)
        }
    }
}

/// The examples of one module that are compiled with the same files and flags.
struct Examples: Sendable, CustomStringConvertible {
    let programs: [Program]

    var description: String {
        let first = programs[0]
        return ([first.module ?? "pages"] + (first.isMainActor ? ["main-actor"] : []))
            .joined(separator: " ")
    }

    static var all: [Examples] {
        let bodies = Documentation.current.programs.filter { $0.kind == .body }.map {
            Examples(programs: [$0])
        }
        return Dictionary(grouping: bodies, by: \.description).sorted { $0.key < $1.key }.map {
            Examples(programs: $0.value.flatMap(\.programs))
        }
    }
}
