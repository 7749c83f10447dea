/// Web pages: their pieces, the scripts in them, and texts with markup.
enum HTMLTarget {
    static func check(_ input: [UInt8]) {
        expectCatalogueOrReason(input)
        checkPieces(input)
        checkScripts(input)
        checkText(String(decoding: input, as: UTF8.self))
    }

    private static func checkPieces(_ input: [UInt8]) {
        var tokens = HTMLTokenizer(input)
        var end = 0
        while let token = tokens.next() {
            switch token {
            case .text(let range):
                expect(!range.isEmpty && range.lowerBound >= end, "pieces follow each other")
                end = range.upperBound
            case .tag(let tag), .raw(let tag, _):
                for attribute in tag.attributes {
                    expect(attribute.name.lowerBound >= end, "attributes follow each other")
                    end = attribute.value?.upperBound ?? attribute.name.upperBound
                }
                if case .raw(_, let content) = token {
                    expect(content.lowerBound >= end, "content follows its tag")
                    end = content.upperBound
                }
            }
            expect(end <= input.count, "a piece is inside the page")
        }
    }

    private static func checkScripts(_ input: [UInt8]) {
        var end = 0
        for script in HTMLScripts.linkedData(in: input) {
            expect(script.lowerBound >= end && script.upperBound <= input.count, "scripts follow each other")
            end = script.upperBound
        }
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
