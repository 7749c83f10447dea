import Foundation
import Testing

/// What the bodies of the pages' screens read: a body is evaluated again for that, and for nothing else. The pages' code
/// runs here with the stubs of SwiftUI, which call a view's builders and read a binding when it is created, as SwiftUI
/// does.
@Suite("Reading screens", .timeLimit(.minutes(10)), .enabled(if: Frameworks.areStubs))
struct ScreenReadingTests {
    @Test(
        "FS-41: a letter evaluates the body of its field, a tick that of its row, and the list neither",
        .compiler)
    func shoppingList() async throws {
        let output = try await run(
            ["Shopping", "ShoppingViews"], with: Self.shopping, named: "reading-shopping")
        #expect(
            output == """
                added: list 2, field 0, sheet 0, rows 1 1
                suggested: list 0, field 3, sheet 0, rows 0 0
                ticked: list 0, field 0, sheet 0, rows 1 0
                opened: list 0, field 0, sheet 1, rows 0 0
                renamed: list 0, field 0, sheet 5, rows 0 0
                saved: list 0, field 0, sheet 1, rows 0 1
                removed: list 1, field 0, sheet 0, rows 1 0
                rows are equal: true false
                a binding to the editor in a body: 5

                """)
    }

    /// Runs the pages' files of these names, which are fences' too, with a program.
    private func run(_ names: [String], with main: String, named slot: String) async throws -> String {
        let compiler = try Compiler.current
        let slot = compiler.slot(slot)
        // What the files use of SwiftUI is declared beside them, and runs.
        let binding = try Package.text("Sources/PromisedSystem/Apple/EventBinding+SwiftUI.swift")
            .replacing("#if canImport(SwiftUI)", with: "import PromisedSystem\n#if true")
            .replacing("public import SwiftUI", with: "")
        var sources = [
            Compiler.Source(
                name: "SwiftUI.swift", text: try Package.text("Tests/Fixtures/Stubs/SwiftUI.swift")),
            .init(name: "adapter.swift", text: binding),
            .init(name: "main.swift", text: Self.evaluated + main),
        ]
        for name in names {
            let file = try #require(Documentation.current.programs.first { $0.fileName == name })
            let text = file.source { Package.root.appending(path: $0).path }
            sources.append(.init(name: "\(name).swift", text: text.replacing("import SwiftUI\n", with: "\n")))
        }
        let report = try await compiler.build(sources, linking: Package.modules, flags: [], in: slot)
        #expect(report == nil)
        let outcome = try await Subprocess.run([compiler.program(in: slot).path], in: slot)
        #expect(outcome.isSuccess, "\(outcome.report)")
        return outcome.output
    }

    private static let evaluated = """
        import Observation
        import PromisedSystem
        import PromisedTesting

        /// A body that is evaluated again after what it has read has changed, as SwiftUI does once for each frame.
        @MainActor
        final class Evaluated {
            private let body: () -> Void
            private var (count, isCurrent) = (0, false)

            init(_ body: @escaping () -> Void) {
                self.body = body
                update()
                count = 0
            }

            func update() {
                guard !isCurrent else { return }
                (count, isCurrent) = (count + 1, true)
                withObservationTracking(body) { MainActor.assumeIsolated { self.isCurrent = false } }
            }

            /// The number of evaluations since the last call.
            func taken() -> Int {
                defer { count = 0 }
                return count
            }
        }

        """

    private static let shopping = """
        let scheduler = TestScheduler()
        let system = System(
            initialState: Shopping.State(), scheduler: scheduler,
            feature: Shopping.feature { text in .value(["tea", "toast"].filter { $0.hasPrefix(text) }) })
        let shopping = system.scoped()
        @MainActor func row(_ id: Int) -> ItemRow { ItemRow(item: shopping.scoped(by: Shopping.items.scope(of: id))) }

        let list = Evaluated { _ = ShoppingView(shopping: shopping).body }
        let field = Evaluated { _ = AddField(shopping: shopping).body }
        let sheet = Evaluated { _ = EditorSheet(shopping: shopping).body(content: EditorSheet.Content()) }
        let rows = [1, 2].map { id in Evaluated { _ = row(id).body } }
        let careless = Evaluated { _ = shopping.item(\\.editor, dismiss: .closeEditor).binding }

        @MainActor func events(_ name: String, _ events: Shopping.Event...) {
            for event in events {
                shopping.sendEvent(event)
                scheduler.advance(by: .seconds(1))
                for body in [list, field, sheet, careless] + rows { body.update() }
            }
            print(
                "\\(name): list \\(list.taken()), field \\(field.taken()), sheet \\(sheet.taken()),",
                "rows \\(rows[0].taken()) \\(rows[1].taken())")
        }

        events("added", .add("tea"), .add("oats"))
        events("suggested", .typed("t"), .typed("to"), .typed("toa"))
        events("ticked", .item(1, .ticked))
        events("opened", .edit(2))
        _ = careless.taken()
        events(
            "renamed", .editor(.typed("f")), .editor(.typed("fl")), .editor(.typed("flo")),
            .editor(.typed("flou")), .editor(.typed("flour")))
        let renamed = careless.taken()
        events("saved", .save)
        events("removed", .remove(1))
        print("rows are equal:", row(2) == row(2), row(1) == row(2))
        print("a binding to the editor in a body:", renamed)
        """
}
