import Testing

/// A page that maps, row by row, each part of another design to this library.
struct ComparisonPage {
    /// Its name in the catalog.
    let name: String
    /// The pages that it links to: their programs count as its own.
    let companions: [String]
    /// The letters before a row's number.
    let prefix: String
    /// The number of rows.
    let count: Int

    private func path(_ name: String) -> String { "Sources/PromisedSystem/PromisedSystem.docc/\(name).md" }

    /// Checks that every row exists, once and in order.
    func checkRows() throws {
        let expected = (1...count).map { "\(prefix)-\($0 < 10 ? "0" : "")\($0)" }
        let ids = try Table.rows(of: path(name)).compactMap { cells in
            cells.first?.wholeMatch(of: #/([A-Z]+-\d\d) */#).map { String($0.1) }
        }
        #expect(ids == expected)
    }

    /// Checks that the names on the right-hand side occur in a program of its pages, all of which are compiled and run.
    func checkNames() throws {
        let pages = ([name] + companions).map(path)
        let programs = Documentation.current.programs.filter { pages.contains($0.place.file) }
        for page in pages {
            #expect(programs.contains { $0.place.file == page }, "\(page) has no program")
        }
        #expect(programs.allSatisfy { $0.kind == .run })
        // Without comments, which may contain anything.
        let code = programs.flatMap(\.fences).map(\.code).joined().replacing(#/\/\/.*/#, with: "")
        let known = Set(Table.words(code))
        for cells in try Table.rows(of: path(name)) {
            for name in cells.last.map(Table.code) ?? [] {
                for word in Table.words(name) where !known.contains(word) {
                    Issue.record("'\(word)' of `\(name)` is in no program of the pages")
                }
            }
        }
    }
}
