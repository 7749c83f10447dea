import Foundation

/// A price as shops write it: `129.90`, `1.299,00 €`, `CHF 129.–`.
///
/// A number is only read where it can be no other: a wrong price is worse than a price as it was written.
struct PriceText {
    /// The number, if the text is one.
    private(set) var amount: Decimal?
    /// The currency that the text names.
    private(set) var currency: String?

    /// - Parameter thousandths: Whether the currency is divided in a thousand, so that three digits behind
    ///   a point are no group of a larger number.
    init(_ text: String, thousandths: Bool = false) {
        let digits = text.drop { !$0.isASCIIDigit && $0 != "." }
        guard let last = digits.lastIndex(where: \.isASCIIDigit) else { return }
        let number = digits[...last]
        let before = text[..<digits.startIndex].filter { !$0.isWhitespace }
        var after = digits[digits.index(after: last)...].filter { !$0.isWhitespace && $0 != "*" }
        for ending in [".–", ",–", ".-", ",-", ".—", ",—", "–", "-", "."] where after.hasPrefix(ending) {
            after.removeFirst(ending.count)
            break
        }
        guard let name = Self.name(before, after) else { return }
        currency = name.isEmpty ? nil : name
        amount = Self.amount(number, thousandths: thousandths)
    }

    /// The currency around the number: empty where there is none, `nil` where other words are.
    private static func name(_ before: String, _ after: String) -> String? {
        let names = [before, after].filter { !$0.isEmpty }.map { Self.currency($0) }
        // `US$ 5 USD` names one twice.
        return names.contains(nil) ? nil : names.compactMap { $0 }.max { $0.count < $1.count } ?? ""
    }

    /// A code, or what a symbol stands for; a symbol of several currencies stays what it is.
    static func currency(_ given: String) -> String? {
        if given.count == 3, given.allSatisfy({ $0.isASCII && $0.isLetter }) { return given.uppercased() }
        return symbols[given.lowercased()]
    }

    private static let symbols = [
        "€": "EUR", "£": "GBP", "$": "$", "¥": "¥", "￥": "¥", "円": "JPY", "元": "CNY", "us$": "USD",
        "c$": "CAD", "ca$": "CAD", "a$": "AUD", "au$": "AUD", "nz$": "NZD", "hk$": "HKD", "nt$": "TWD",
        "s$": "SGD", "r$": "BRL", "mx$": "MXN", "zł": "PLN", "kč": "CZK", "ft": "HUF", "lei": "RON",
        "лв": "BGN", "лв.": "BGN", "₽": "RUB", "руб": "RUB", "руб.": "RUB", "₴": "UAH", "грн": "UAH",
        "₹": "INR", "₺": "TRY", "₩": "KRW", "₪": "ILS", "฿": "THB", "₫": "VND", "đ": "VND", "fr": "CHF",
        "fr.": "CHF", "sfr.": "CHF", "kr": "kr", "kr.": "kr", "rs.": "Rs", "rs": "Rs", "rp": "IDR",
        "rm": "MYR", "₱": "PHP", "₦": "NGN", "€uro": "EUR", "euro": "EUR",
    ]

    /// The last of two kinds of separators is the decimal one, and so is one alone, unless three digits
    /// follow it: `1.299` may be either.
    private static func amount(_ text: Substring, thousandths: Bool) -> Decimal? {
        let words = text.split { $0.isWhitespace || "'’`".contains($0) }.joined(separator: " ")
        let spaced = Array(
            words.replacing(" .", with: ".").replacing(" ,", with: ",")
                .replacing(". ", with: ".").replacing(", ", with: ","))
        let marks = spaced.filter { !$0.isASCIIDigit }
        guard Set(marks).isSubset(of: [".", ",", " "]) else { return nil }
        let kinds = Set(marks)
        guard let last = marks.last else { return DecimalText.parse(String(spaced)) }
        let parts = spaced.split(separator: last, omittingEmptySubsequences: false)
        let fraction = parts[parts.count - 1]
        let isDecimal =
            last != " " && parts.count == 2
            && (kinds.count > 1 || fraction.count != 3 || parts[0].count > 3 || parts[0] == ["0"]
                || thousandths && last == ".")
        // `1.299` alone.
        if !isDecimal, kinds.count == 1, parts.count == 2, last != " " { return nil }
        let whole = isDecimal ? Array(parts[0]) : spaced
        let groups = whole.split { !$0.isASCIIDigit }
        guard Set(whole.filter { !$0.isASCIIDigit }).count <= 1,
            groups.dropFirst().allSatisfy({ $0.count == 3 }), groups.count < 2 || groups[0].count <= 3
        else { return nil }
        return DecimalText.parse(String(groups.joined()) + (isDecimal ? "." + String(fraction) : ""))
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
