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
        let before = text[..<digits.startIndex].filter { !$0.isWhitespace }
        var after = digits[digits.index(after: last)...].filter { !$0.isWhitespace && $0 != "*" }
        let endings = [".–", ",–", ".-", ",-", ".—", ",—", "–", "-", "."]
        after.removeFirst(endings.first { after.hasPrefix($0) }?.count ?? 0)
        // `US$ 5 USD` names one twice.
        let names = [before, after].filter { !$0.isEmpty }
        let currencies = names.compactMap(Self.currency)
        guard currencies.count == names.count else { return }
        currency = currencies.max { $0.count < $1.count }
        amount = Self.amount(digits[...last], thousandths: thousandths)
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
        var number = text.split { $0.isWhitespace || "'’`".contains($0) }.joined(separator: " ")
        for mark in [".", ","] {
            number = number.replacing(" \(mark)", with: mark).replacing("\(mark) ", with: mark)
        }
        let marks = number.filter { !$0.isASCIIDigit }
        guard let last = marks.last else { return DecimalText.parse(number) }
        guard marks.allSatisfy({ " .,".contains($0) }) else { return nil }
        let parts = number.split(separator: last, omittingEmptySubsequences: false)
        let fraction = parts[parts.count - 1]
        let isAlone = parts.count == 2 && marks.count == 1
        // One group of three digits behind one to three others may be a fraction as well.
        let isUnclear = isAlone && fraction.count == 3 && (1...3).contains(parts[0].count) && parts[0] != "0"
        if last == " " || parts.count > 2 { return grouped(number) }
        if isUnclear, last != "." || !thousandths { return nil }
        return grouped(String(parts[0]), fraction: "." + fraction)
    }

    /// The number without the separators between its thousands; `nil` where they stand elsewhere.
    private static func grouped(_ whole: String, fraction: String = "") -> Decimal? {
        let groups = whole.split { !$0.isASCIIDigit }
        guard Set(whole.filter { !$0.isASCIIDigit }).count <= 1,
            groups.dropFirst().allSatisfy({ $0.count == 3 }),
            groups.count < 2 || groups[0].count <= 3
        else { return nil }
        return DecimalText.parse(groups.joined() + fraction)
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
