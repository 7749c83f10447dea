/// What a web page or a server's answer says about the encoding.
enum PageCharset {
    /// Further down, browsers do not look either (they stop even earlier).
    private static let maximumOffset = 8 * 1024

    /// From `<meta charset="…">`, or the older `<meta http-equiv="Content-Type" content="…; charset=…">`;
    /// nil where there is none, or none that is known.
    static func declared(in bytes: [UInt8]) -> TextEncoding? {
        guard bytes.first(where: { !$0.isHTMLSpace }) == UInt8(ascii: "<") else { return nil }
        var pieces = HTMLTokenizer(Array(bytes.prefix(maximumOffset)))
        while let piece = pieces.next() {
            guard case .start(let tag) = piece, tag.name == "meta", let label = label(tag) else { continue }
            // The tag was found as ASCII, so it cannot be UTF-16.
            return label.lowercased().hasPrefix("utf-16") ? nil : TextEncoding(label: label)
        }
        return nil
    }

    private static func label(_ tag: HTMLTag) -> String? {
        if let charset = tag["charset"] { return charset }
        guard tag["http-equiv"]?.lowercased() == "content-type" else { return nil }
        return tag["content"].flatMap(charset(ofContentType:))
    }

    /// The parameter of a content type: `ISO-8859-15` of `text/html; charset="ISO-8859-15"`.
    static func charset(ofContentType type: String) -> String? {
        for parameter in type.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { PlainText.line(String($0)) ?? "" }
            guard parts.count == 2, parts[0].lowercased() == "charset" else { continue }
            return parts[1].filter { $0 != "\"" && $0 != "'" }
        }
        return nil
    }
}
