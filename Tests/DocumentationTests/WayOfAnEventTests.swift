import Foundation
import TestSupport
import Testing

/// The pages that follow an event, a write and a set through the source code.
@Suite("The ways of an event, a write and a set", .serialized)
struct WayOfAnEventTests {
    /// A page, and the operation that it follows.
    struct Page: Sendable, CustomTestStringConvertible {
        let way: String
        let module: String
        let name: String

        static let all = [
            Page(way: "event", module: "PromisedSystem", name: "TheWayOfAnEvent"),
            Page(way: "write", module: "PromisedModels", name: "TheWayOfAWrite"),
            Page(way: "set", module: "PromisedSources", name: "TheWayOfASet"),
        ]

        var testDescription: String { name }
        var path: String { "Sources/\(module)/\(module).docc/\(name).md" }

        /// The rows of the page's tables: number, file, task, names.
        func steps() throws -> [[Substring]] {
            try Table.rows(of: path).filter { $0.count > 3 && Int($0[0].prefix { $0.isNumber }) != nil }
        }

        /// A file as it is named on the page, as a path in `Sources`.
        func path(of file: String) -> String { file.hasPrefix("Promise") ? file : "\(module)/\(file)" }
    }

    @Test("the files on the page exist", arguments: Page.all)
    func files(page: Page) throws {
        let text = try Package.text(page.path)
        let files = Set(text.matches(of: #/[\w+\/]+\/[\w+]+\.swift/#).map { String($0.output) })
        #expect(!files.isEmpty)
        for file in files {
            #expect(Package.exists("Sources/\(page.path(of: file))"), "there is no file '\(file)'")
        }
    }

    @Test("each step names a file of the page and a declaration in it", arguments: Page.all)
    func steps(page: Page) throws {
        let steps = try page.steps()
        #expect(steps.count > 2)
        for cells in steps {
            let file = try #require(Table.code(in: cells[1]).first)
            let words = Set(Table.words(try Package.text("Sources/\(page.path(of: file))")))
            for name in Table.code(in: cells[3]) where !words.contains(name) {
                Issue.record("'\(name)' is not in \(file)")
            }
        }
    }

    @Test(
        "the page names the files that the operation enters in a debug build, and no others",
        .enabled(if: isStress), arguments: Page.all)
    func traced(page: Page) async throws {
        let text = try Package.text(page.path)
        let list = try #require(text.split(separator: "## Every file\n").last)
        let named = Set(list.matches(of: #/`([\w+\/]+\.swift)`/#).map { page.path(of: String($0.1)) })
        try await withTemporaryFolder { folder in
            let trace = Package.root.appending(path: "Tests/Ways/run").path
            let outcome = try await Subprocess.run([trace, page.way], in: folder)
            #expect(outcome.isSuccess, "\(outcome.report)")
            let entered = Set(
                outcome.output.split(separator: "\n").compactMap { $0.split(separator: "\t").first }
                    .map(String.init))
            #expect(entered.subtracting(named) == [], "missing on the page")
            #expect(named.subtracting(entered) == [], "not entered")
        }
    }
}
