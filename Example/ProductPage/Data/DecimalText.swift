import Foundation

/// Decimal numbers as text, exactly: what the text says is what is kept, or nothing.
enum DecimalText {
    /// More digits than this and `Decimal` would round without a word.
    static let maximumDigits = 38

    /// The number that `text` spells in JSON's notation (a leading `+` or a missing zero is forgiven), or
    /// `nil` where it is no number or has more digits than can be kept.
    ///
    /// A comma is never understood: `1.299,00` and `1,299` mean different things in different places.
    static func parse(_ text: String) -> Decimal? {
        guard text.utf8.count <= 128 else { return nil }
        var rest = Substring(text)
        var isNegative = false
        if let sign = rest.first, sign == "-" || sign == "+" {
            isNegative = sign == "-"
            rest.removeFirst()
        }
        let whole = takeDigits(&rest)
        var fraction: Substring = ""
        if rest.first == "." {
            rest.removeFirst()
            fraction = takeDigits(&rest)
            guard !fraction.isEmpty else { return nil }
        }
        guard !(whole.isEmpty && fraction.isEmpty), let exponent = takeExponent(&rest), rest.isEmpty else {
            return nil
        }
        return decimal(
            digits: whole + fraction, exponent: exponent - fraction.count, isNegative: isNegative)
    }

    /// Plain digits with a point, never an exponent, with at least `fractionDigits` after the point.
    static func plain(_ value: Decimal, fractionDigits: Int = 0) -> String {
        let digits = value.description
        let given = digits.firstIndex(of: ".").map { digits.distance(from: $0, to: digits.endIndex) - 1 } ?? 0
        guard given < fractionDigits else { return digits }
        return digits + (given == 0 ? "." : "") + String(repeating: "0", count: fractionDigits - given)
    }

    private static func takeDigits(_ rest: inout Substring) -> Substring {
        let digits = rest.prefix { ("0"..."9").contains($0) && $0.isASCII }
        rest = rest[digits.endIndex...]
        return digits
    }

    /// The exponent, 0 where there is none, `nil` where it is malformed or beyond any price.
    private static func takeExponent(_ rest: inout Substring) -> Int? {
        guard rest.first == "e" || rest.first == "E" else { return 0 }
        rest.removeFirst()
        var isNegative = false
        if let sign = rest.first, sign == "-" || sign == "+" {
            isNegative = sign == "-"
            rest.removeFirst()
        }
        guard let size = Int(takeDigits(&rest)), size <= 1_000 else { return nil }
        return isNegative ? -size : size
    }

    private static func decimal(digits: Substring, exponent: Int, isNegative: Bool) -> Decimal? {
        var significant = digits.drop { $0 == "0" }
        var exponent = exponent
        while significant.last == "0" {
            significant.removeLast()
            exponent += 1
        }
        // Without a minus: "-0" is shown as 0, as in any shop.
        guard !significant.isEmpty else { return 0 }
        // The bounds also keep what `plain` writes short.
        guard significant.count + max(exponent, 0) <= maximumDigits, exponent >= -maximumDigits,
            let magnitude = Decimal(string: String(significant), locale: Locale(identifier: "en_US_POSIX"))
        else { return nil }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: magnitude)
    }
}
