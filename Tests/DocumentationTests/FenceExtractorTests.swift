import Testing

/// Where a block of code begins and ends.
@Suite("Fence extractor")
struct FenceExtractorTests {
    @Test("a fence has a place, a language, attributes and code")
    func fence() {
        let found = extract(
            """
            # Title

            ```swift compile as=Cart
            let a = 1

              let b = 2
            ```
            """)
        #expect(
            found.fences == [
                Fence(
                    place: Place(file: "page.md", line: 3), language: "swift",
                    attributes: ["compile", "as=Cart"], code: "let a = 1\n\n  let b = 2\n")
            ])
        #expect(found.problems.isEmpty)
    }

    @Test("an indented or quoted fence loses its prefix, and only that")
    func prefix() {
        let found = extract(
            """
            1. First
               ```swift
               if true {
                   work()
               }
             short
               ```
            > ```swift
            > quoted()
            >
            > ```
            """)
        #expect(found.fences.map(\.code) == ["if true {\n    work()\n}\nshort\n", "quoted()\n\n"])
    }

    @Test("a longer fence, or one of tildes, shows a shorter one as text")
    func nested() {
        let found = extract(
            """
            ````markdown
            ```swift
            inner()
            ```
            ````
            ~~~swift
            ```
            ~~~
            """)
        #expect(found.fences.map(\.language) == ["markdown", "swift"])
        #expect(found.fences.map(\.code) == ["```swift\ninner()\n```\n", "```\n"])
    }

    @Test("inline code and text after a closing fence are not fences")
    func inline() {
        let found = extract(
            """
            ```x``` is inline.
            ```
            ``` still code
            ```   \u{20}
            """)
        #expect(found.fences.map(\.code) == ["``` still code\n"])
        #expect(found.problems.isEmpty)
    }

    @Test("an unclosed fence is a problem at the line that opens it")
    func unclosed() {
        let found = extract("text\n\n```swift\nlet a = 1\n")
        #expect(found.fences.isEmpty)
        #expect(found.problems.map(\.description) == ["page.md:3: this fence is never closed"])
    }

    @Test("a comment above gives attributes, and one without a fence after it is a problem")
    func comment() {
        let found = extract(
            """
            <!-- fence: compile main-actor -->
            ```swift
            ```
            <!-- fence: run -->

            ```swift
            ```
            """)
        #expect(found.fences.map(\.attributes) == [["compile", "main-actor"], []])
        #expect(found.problems.map(\.description) == ["page.md:4: no fence follows on the next line"])
    }

    @Test("where DocC reads the page, attributes after the language are a problem")
    func commentOnly() {
        let found = extract("```swift compile\n```\n```text output\n```", style: .commentOnly)
        #expect(
            found.problems.map(\.description) == [
                """
                page.md:1: DocC would show this block without colours: write ```swift alone, and \
                <!-- fence: compile --> on the line above
                """
            ])
    }

    @Test("a doc comment's fences have the lines of the file, and end with the comment")
    func docComments() {
        let text = """
            /// First.
            ///
            /// ```swift
            /// let a = 1
            /// ```
            struct A {
                /// Second, unclosed:
                /// ```swift
                func f() {}
                //// Not a comment of this kind: ```
            }
            """
        let found = DocComments.extract(text, file: "A.swift")
        #expect(
            found.fences == [
                Fence(
                    place: Place(file: "A.swift", line: 3), language: "swift", attributes: [],
                    code: "let a = 1\n")
            ])
        #expect(found.problems.map(\.place.line) == [8])
    }

    private func extract(
        _ text: String, style: FenceExtractor.AttributeStyle = .infoString
    ) -> (fences: [Fence], problems: [Problem]) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return FenceExtractor.extract(lines, file: "page.md", style: style)
    }
}
