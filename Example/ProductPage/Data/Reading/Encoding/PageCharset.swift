/// What a web page says about its own encoding.
enum PageCharset {
    /// Further down, browsers do not look either (they stop even earlier).
    private static let maximumOffset = 8 * 1024

    /// From `<meta charset="…">`, or the older `<meta http-equiv="Content-Type" content="…; charset=…">`;
    /// nil where there is none, or none that is known.
    static func declared(in bytes: [UInt8]) -> TextEncoding? {
        guard bytes.first(where: { !$0.isHTMLSpace }) == UInt8(ascii: "<") else { return nil }
        let beginning = Array(bytes.prefix(maximumOffset))
        var tokens = HTMLTokenizer(beginning)
        while let token = tokens.next() {
            guard case .tag(let tag) = token, tag.name == "meta", let label = label(tag, in: beginning) else {
                continue
            }
            guard let encoding = TextEncoding(label: label) else { return nil }
            // The tag was found as ASCII, so it cannot be what it says.
            if case .utf16 = encoding { return .utf8 }
            return encoding
        }
        return nil
    }

    private static func label(_ tag: HTMLTag, in bytes: [UInt8]) -> String? {
        if let charset = tag.value(of: "charset", in: bytes) { return charset.trimmingSpace }
        guard tag.value(of: "http-equiv", in: bytes)?.lowercased() == "content-type" else { return nil }
        return tag.value(of: "content", in: bytes).flatMap(charset(ofContentType:))
    }

    /// The parameter of a content type: `ISO-8859-15` of `text/html; charset="ISO-8859-15"`.
    static func charset(ofContentType type: String) -> String? {
        for parameter in type.split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, String(parts[0]).trimmingSpace.lowercased() == "charset" else { continue }
            return String(parts[1]).trimmingSpace.filter { $0 != "\"" && $0 != "'" }
        }
        return nil
    }
}

extension String {
    fileprivate var trimmingSpace: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
