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
            ["ShoppingViews"], with: Self.shopping, named: "reading-shopping")
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

    @Test("a screen that owns its system starts none when SwiftUI creates the view", .compiler)
    func owning() async throws {
        let output = try await run(["QuoteViews"], with: Self.owned, named: "reading-owner")
        #expect(output == "10 loads for 10 views\n0 loads for 10 screens\n")
    }

    @Test("OS-12: a letter evaluates the form of a model, a like its row, and the list neither", .compiler)
    func models() async throws {
        let output = try await run(["NoteBook", "SongsView"], with: Self.models, named: "reading-models")
        #expect(
            output == """
                opened: book 1
                letters: book 0
                saved: book 1
                liked: list 0, rows 0 1

                """)
    }

    /// Runs the pages' files of these names with a program, against the stubs.
    private func run(_ names: [String], with main: String, named slot: String) async throws -> String {
        let compiler = try Compiler.current
        let (slot, frameworks) = (compiler.slot(slot), Frameworks(compiler: compiler))
        let path: (String) -> String = { Package.root.appending(path: $0).path }
        let programs = try names.map { name in
            try #require(Documentation.current.programs.first { $0.fileName == name })
        }
        var sources = [String: Compiler.Source]()
        for program in programs {
            for file in program.files + [program] {
                let name = "\(file.fileName ?? "").swift"
                sources[name] = .init(name: name, text: file.source(path: path))
            }
            for adapter in try Frameworks.adapters(for: program) { sources[adapter.name] = adapter }
        }
        let all =
            sources.values.sorted { $0.name < $1.name }
            + [.init(name: "main.swift", text: Self.evaluated + main)]
        let flags = try await frameworks.flags() + frameworks.objects()
        let report = try await compiler.build(all, linking: Package.modules, flags: flags, in: slot)
        #expect(report == nil)
        let outcome = try await Subprocess.run([compiler.program(in: slot).path], in: slot)
        #expect(outcome.isSuccess, "\(outcome.report)")
        return outcome.output
    }

    private static let evaluated = """
        import Observation
        import PromisedModels
        import PromisedTesting
        @_spi(Evaluating) import SwiftUI

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

    private static let owned = """
        let scheduler = TestScheduler()
        nonisolated(unsafe) var loads = 0
        let load: @Sendable () -> Promise<String> = {
            loads += 1
            return .value("")
        }

        struct Careless: View {
            @State private var quote = Quote.system(load: load)

            var body: some View { QuoteView(quote: quote.scoped()) }
        }

        for _ in 1...10 { _ = Careless().body }
        print(loads, "loads for 10 views")
        loads = 0
        for _ in 1...10 { _ = QuoteScreen(load: load).body }
        print(loads, "loads for 10 screens")
        """

    private static let models = """
        let book = Store<NoteBook>(
            initialState: .init(notes: [.init(id: 1, text: "")]), scheduler: .immediate
        ).model
        let screen = Evaluated { _ = NoteBookView(book: book).body }
        book.opened(.init(id: 1, text: ""))
        screen.update()
        print("opened: book", screen.taken())
        for letter in "tea" {
            book.form.value?.$text.value.append(letter)
            screen.update()
        }
        print("letters: book", screen.taken())
        book.saveTapped()
        screen.update()
        print("saved: book", screen.taken())

        let playlist = Store<Playlist>(
            initialState: .init(songs: [.init(id: 1), .init(id: 2)]), scheduler: .immediate
        ).model
        let list = Evaluated { _ = PlaylistView(playlist: playlist).body }
        let rows = playlist.songs.map { song in Evaluated { _ = SongRow(song: song).body } }
        @MainActor func liked(_ name: String) {
            for body in [list] + rows { body.update() }
            print("\\(name): list \\(list.taken()), rows \\(rows[0].taken()) \\(rows[1].taken())")
        }
        playlist.songs[1].likeTapped()
        liked("liked")
        """
}
