import Testing

/// No link of a page leads nowhere. `.ci/site` checks the links to symbols, and those of the site.
@Suite("Links")
struct LinkTests {
    @Test(
        "every link of README, of the pages and of the folders' own pages leads to a file, and to a heading of it"
    )
    func nothingIsDead() {
        #expect(LinkCheck.current.pages.count > 90)
        for page in LinkCheck.current.pages.keys.sorted() {
            for problem in LinkCheck.current.problems(of: page) { problem.record() }
        }
    }

    private static let page = """
        # Tea

        See [cups](Cups.md), [small ones](Cups.md#small-cups-7), [below](#after-tea) and [the web](https://example.com).
        A link as code, `[a](b.md)`, is none.

        ```text
        [neither](Nowhere.md)
        ```

        ## After tea
        """

    private static let cups = "# Cups\n\n## Small cups: `7`!\n\n## Twice\n\n## Twice\n"

    private func messages(_ line: String, in path: String = "Sources/Tea/Tea.docc/Tea.md") -> [String] {
        var pages = ["Sources/Tea/Tea.docc/Cups.md": Self.cups, "README.md": "# Tea"]
        pages[path] = line
        return LinkCheck(
            pages: pages, exists: { [files = pages.keys] in files.contains($0) || $0 == "Sources/Tea" }
        )
        .problems(of: path).map { "\($0.place.line): \($0.message)" }
    }

    @Test("a link to a page, to a heading of it, to a heading of its own page or to the web is no problem")
    func sound() {
        #expect(messages(Self.page) == [])
        #expect(messages("[a](Cups.md#twice) [b](Cups.md#twice-1)") == [])
        #expect(
            messages("[a](Sources/Tea/Tea.docc/Cups.md) `Sources/Tea` `Sources/Tea/…`", in: "README.md") == []
        )
    }

    @Test(
        "a link that leads nowhere, or that a page on the hosting site or on ours cannot follow, is a problem",
        arguments: [
            ("[a](Mugs.md)", "1: there is no Sources/Tea/Tea.docc/Mugs.md"),
            ("\n[a](Cups.md#large)", "2: Sources/Tea/Tea.docc/Cups.md has no heading #large"),
            ("[a](Cups.md#twice-2)", "1: Sources/Tea/Tea.docc/Cups.md has no heading #twice-2"),
            ("[a](#cups)", "1: Sources/Tea/Tea.docc/Tea.md has no heading #cups"),
            ("<doc:Cups>", "1: only DocC knows where doc:Cups leads: write [Its title](Cups.md)"),
            ("[a](doc:Cups)", "1: only DocC knows where doc:Cups leads: write [Its title](Cups.md)"),
            (
                "[a](../../../README.md)",
                "1: ../../../README.md is no page of a catalog, and the site has only those"
            ),
            ("`Tests/Nothing.swift 7`", "1: there is no Tests/Nothing.swift"),
        ])
    func dead(line: String, problem: String) {
        #expect(messages(line) == [problem])
    }
}
