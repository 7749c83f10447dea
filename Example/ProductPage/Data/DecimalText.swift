import Foundation

/// Decimal numbers as text, exactly: what the text says is what is kept, or nothing.
enum DecimalText {
    /// More digits than this and `Decimal` would round without a word.
    static let maximumDigits = 38

    /// The number that `text` spells: digits with a point, perhaps a sign and an exponent; or `nil` where it
    /// is no number or has more digits than can be kept.
    static func parse(_ text: String) -> Decimal? {
        let parts = text.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = parts.first, let exponent = parts.count == 1 ? 0 : Int(parts[1]) else {
            return nil
        }
        let digits = number.filter { $0.isASCII && $0.isNumber }
        let rest = number.filter { !($0.isASCII && $0.isNumber) }
        guard ["", ".", "-", "-.", "+", "+."].contains(rest), !digits.isEmpty, number.last != ".",
            number.hasPrefix(rest.prefix { $0 != "." }), digits.count <= 2 * maximumDigits,
            digits.drop(while: { $0 == "0" }).count + max(exponent, 0) <= maximumDigits,
            exponent >= -maximumDigits
        else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    /// Plain digits with a point, never an exponent, with at least `fractionDigits` after the point.
    static func plain(_ value: Decimal, fractionDigits: Int = 0) -> String {
        let digits = value.description
        let given = digits.firstIndex(of: ".").map { digits.distance(from: $0, to: digits.endIndex) - 1 } ?? 0
        guard given < fractionDigits else { return digits }
        return digits + (given == 0 ? "." : "") + String(repeating: "0", count: fractionDigits - given)
    }
}
