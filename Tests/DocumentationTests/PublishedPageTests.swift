import Foundation
import Testing

/// The published product page: in its original form, in the Swift 5 mode; and as the documentation shows it, as a fence
/// like any other, in a module that defaults to the main actor.
@Suite("Published page", .timeLimit(.minutes(10)))
struct PublishedPageTests {
    @Test("PK-28, PK-31: with the main actor by default, nonisolated is the only change", .compiler)
    func mainActorModule() async throws {
        let page = try #require(Self.page)
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

    @Test(
        "PK-28, PK-31: with its imports changed, the published page compiles and runs in the Swift 5 mode",
        .compiler)
    func swift5() async throws {
        let compiler = try Compiler.current
        let slot = compiler.slot("published-page-swift-5")
        let page = try Package.text(Self.published)
        let report = try await compiler.build(
            [.init(name: "main.swift", text: page)], linking: Self.modules, flags: ["-swift-version", "5"],
            in: slot)
        #expect(report == nil)
        let outcome = try await Subprocess.run([compiler.program(in: slot).path], in: slot)
        #expect(outcome.isSuccess)
        #expect(outcome.output.hasSuffix("tracked: addedToCart(\(Self.product), \"Running shoe for Ada\")\n"))
    }

    @Test("PK-05: nonisolated bindings in a variable run in the Swift 5 mode", .compiler)
    func bindings() async throws {
        let compiler = try Compiler.current
        let slot = compiler.slot("published-bindings-swift-5")
        let report = try await compiler.build(
            [.init(name: "main.swift", text: Self.boundPage)], linking: Self.modules,
            flags: ["-swift-version", "5"], in: slot)
        #expect(report == nil)
        let outcome = try await Subprocess.run([compiler.program(in: slot).path], in: slot)
        #expect(outcome.isSuccess)
        #expect(outcome.output.split(separator: "\n") == (1...4).map { "\(($0 + 1) / 2): \(1 - $0 % 2)" })
    }

    private static let boundPage = """
        import PromisedSystem

        var number = 0
        func bindings() -> [((Int) -> ())?] {
            number += 1
            return [{ [number] in print("\\(number): \\($0)") }, nil]
        }
        func reduce(state: Int, event: Int) -> Promise<Int> { .value(state + event) }
        let reducer = Reducer<Int, Int> { $0 += $1 }

        System<Int, Int>.pure(initialState: 0, reducer: reduce, uiBindings: .init(bindings())).sendEvent(1)
        System(initialState: 0, scheduler: .main, reducer: reducer, uiBindings: .init(bindings())).sendEvent(1)

        """

    @Test(
        "PK-28, PK-31: the page of the documentation is the published one except for the lines that it names")
    func changes() throws {
        let published = try Package.text(Self.published).split(separator: "\n").map(String.init)
        let page = try #require(Self.page?.fences.first).code.split(separator: "\n").map(String.init)
        let change = page.difference(from: published)
        let texts = { (changes: [CollectionDifference<String>.Change]) in
            changes.map { change in
                switch change {
                case .insert(_, let line, _), .remove(_, let line, _):
                    line.trimmingCharacters(in: .whitespaces)
                }
            }
        }
        #expect(
            texts(change.removals) == [
                "protocol View: class {", "system?.addLoopCallback(callback: handleAnalytics)",
            ])
        #expect(
            texts(change.insertions) == [
                "@MainActor", "protocol View: AnyObject {", "@MainActor",
                "system?.addLoopCallback(self, Presenter.handleAnalytics)",
            ])
    }

    private static let published = "Tests/Fixtures/Published/ProductPage.txt"
    private static let modules = Package.modules.filter { !Package.testing.contains($0) }
    private static let product = "Example.Product(title: \"Running shoe\")"
    private static var page: Program? {
        Documentation.current.programs.first {
            $0.place.file.hasSuffix("ComingFromPromisedArchitectureKit.md") && $0.kind == .run
        }
    }

    /// `nonisolated` before the value types and the free functions; the classes stay on the main actor.
    private static func marked(_ code: String) -> String {
        code.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let isMarked = ["struct ", "enum ", "func ", "fileprivate func "].contains { line.hasPrefix($0) }
            return isMarked ? "nonisolated " + line : String(line)
        }.joined(separator: "\n")
    }
}
