package import Foundation

/// Decimal numbers as text, exactly: without rounding, or not at all.
package enum DecimalText {
    /// More digits than this and `Decimal` would round without a word.
    static let maximumDigits = 38

    /// The number that `text` spells: digits with a point, perhaps a sign and an exponent; or `nil` where it
    /// is no number or has more digits than can be kept.
    package static func parse(_ text: String) -> Decimal? {
        let digits = text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
        guard text.allSatisfy({ "0123456789.+-e".contains($0) }), text.last != ".",
            digits.count <= maximumDigits, let size = Double(text), abs(size) < 1e38
        else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    /// Plain digits with a point, never an exponent, with at least `fractionDigits` after the point.
    package static func plain(_ value: Decimal, fractionDigits: Int = 0) -> String {
        let digits = value.description
        let given = digits.firstIndex(of: ".").map { digits.distance(from: $0, to: digits.endIndex) - 1 } ?? 0
        guard given < fractionDigits else { return digits }
        return digits + (given == 0 ? "." : "") + String(repeating: "0", count: fractionDigits - given)
    }
}
