/// Text as people read it, from text as pages carry it.
enum PlainText {
    /// No shop's name, price or address is longer; whatever is cut ends in an ellipsis.
    static let maximumLine = 1_000
    static let maximumParagraphs = 20_000
    /// How much there may be of entities, tags and spaces to each character of text.
    private static let wrapping = 10

    /// One line: entities decoded, runs of white space as one space. Empty text is no text.
    static func line(_ text: String) -> String? {
        let text = text.shortened(toScalars: maximumLine * wrapping)
        return collapsed(Entities.decoded(text), keepingLines: false)?.shortened(toScalars: maximumLine)
    }

    /// Paragraphs: tags taken out as well, and line breaks kept where the text or its markup has them.
    ///
    /// Shops put three things into a description: text, HTML, and HTML with its tags written as entities.
    static func paragraphs(_ text: String) -> String? {
        plainParagraphs(text.shortened(toScalars: maximumParagraphs * wrapping))?
            .shortened(toScalars: maximumParagraphs)
    }

    private static func plainParagraphs(_ text: String) -> String? {
        let once = strippingTags(text)
        guard !once.hadTags else { return collapsed(Entities.decoded(once.text), keepingLines: true) }
        let twice = strippingTags(Entities.decoded(text))
        return collapsed(twice.hadTags ? Entities.decoded(twice.text) : twice.text, keepingLines: true)
    }

    static let breaking: Set<String> = [
        "br", "p", "div", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "section",
    ]

    private static func strippingTags(_ text: String) -> (text: String, hadTags: Bool) {
        guard text.contains("<") else { return (text, false) }
        var tokens = HTMLTokenizer(Array(text.utf8))
        var plain: [UInt8] = []
        var hadTags = false
        while let token = tokens.next() {
            switch token {
            case .text(let range):
                // In HTML only tags break lines; its own line breaks are spaces.
                plain += tokens.bytes[range].lazy.map { $0.isHTMLSpace ? 0x20 : $0 }
            case .tag(let tag):
                hadTags = true
                if breaking.contains(tag.name) { plain.append(0x0A) }
            case .raw:
                hadTags = true
            }
        }
        return hadTags ? (String(decoding: plain, as: UTF8.self), true) : (text, false)
    }

    private static func collapsed(_ text: String, keepingLines: Bool) -> String? {
        var result = String.UnicodeScalarView()
        var space: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                let isBreak = keepingLines && scalar != " " && Character(scalar).isNewline
                space = isBreak || space == "\n" ? "\n" : " "
                continue
            }
            if let space, !result.isEmpty { result.append(space) }
            space = nil
            result.append(scalar)
        }
        return result.isEmpty ? nil : String(result)
    }
}
