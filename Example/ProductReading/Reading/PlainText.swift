import ToolSupport

/// Text as people read it, from text as pages carry it.
enum PlainText {
    /// No shop's name or price is longer; whatever is cut ends in an ellipsis.
    private static let maximumLine = 1_000
    private static let maximumParagraphs = 20_000
    /// How much there may be of entities, tags and spaces to each character of text.
    private static let wrapping = 10
    static let maximumText = maximumParagraphs * wrapping

    /// One line: entities decoded, runs of white space as one space. Empty text is no text.
    static func line(_ text: String) -> String? {
        let text = Entities.decoded(text.shortened(toScalars: maximumLine * wrapping))
        return collapsed(text, keepingLines: false)?.shortened(toScalars: maximumLine)
    }

    /// An address or an id: the same, but never cut, as a part of it would be another one. A text that is longer than any
    /// server takes is none: many products may refer to one such text, and each reads it.
    static func address(_ text: String) -> String? {
        text.utf8.count > maximumLine * wrapping
            ? nil : collapsed(Entities.decoded(text), keepingLines: false)
    }

    /// Paragraphs: tags taken out as well, and line breaks kept where the text or its markup has them.
    ///
    /// Shops put three things into a description: text, HTML, and HTML with its tags written as entities.
    static func paragraphs(_ text: String) -> String? {
        let text = text.shortened(toScalars: maximumText)
        let decoded = Entities.decoded(text)
        let plain = (strippingTags(text) ?? strippingTags(decoded)).map(Entities.decoded) ?? decoded
        return collapsed(plain, keepingLines: true)?.shortened(toScalars: maximumParagraphs)
    }

    static let breaking: Set<String> = [
        "br", "p", "div", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "section",
    ]

    /// `nil` for a text without tags.
    private static func strippingTags(_ text: String) -> String? {
        guard text.contains("<") else { return nil }
        var pieces = HTMLTokenizer(Array(text.utf8))
        var plain: [UInt8] = []
        var hasTags = false
        while let piece = pieces.next() {
            if piece.kind == .text, let content = piece.content {
                // In HTML only tags break lines; its own line breaks are spaces.
                plain += pieces.bytes[content].lazy.map { $0.isHTMLSpace ? 0x20 : $0 }
            } else {
                hasTags = true
                if breaking.contains(piece.name) { plain.append(0x0A) }
            }
        }
        return hasTags ? String(decoding: plain, as: UTF8.self) : nil
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
