/// Web pages, and texts with markup.
enum HTMLTarget {
    static func check(_ input: [UInt8]) {
        expectCatalogueOrReason(input)
        checkText(String(decoding: input, as: UTF8.self))
    }

    private static func checkText(_ text: String) {
        if let line = PlainText.line(text) {
            let spaces = line.unicodeScalars.filter { $0.properties.isWhitespace && $0 != " " }
            expect(spaces.isEmpty, "a line has only plain spaces")
            expectCollapsed(line)
        }
        if let paragraphs = PlainText.paragraphs(text) { expectCollapsed(paragraphs) }
    }

    private static func expectCollapsed(_ text: String) {
        var wasSpace = true
        for scalar in text.unicodeScalars {
            let isSpace = scalar.properties.isWhitespace
            expect(!(isSpace && wasSpace), "white space is collapsed")
            wasSpace = isSpace
        }
        expect(!wasSpace, "a text does not end in white space")
    }
}
