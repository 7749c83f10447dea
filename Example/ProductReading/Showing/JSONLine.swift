import Foundation
import ToolSupport

extension Encodable {
    /// One line of JSON, its members in the order of their names: the same value is the same text. What a terminal
    /// would obey is escaped.
    package var jsonLine: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A value of ours always has a JSON form: it has no number that is not finite.
        let text = (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
        guard text.unicodeScalars.contains(where: \.isUnsafeToShow) else { return text }
        return text.unicodeScalars.map { $0.isUnsafeToShow ? $0.jsonEscape : String($0) }.joined()
    }
}

extension Unicode.Scalar {
    fileprivate var jsonEscape: String {
        String(self).utf16.map { String(format: "\\u%04x", $0) }.joined()
    }
}
