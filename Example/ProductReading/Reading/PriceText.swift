import Foundation

/// A price as shops write it: `129.90`, `1.299,00 €`, `CHF 129.–`.
///
/// A number is only read where it can be no other: a wrong price is worse than a price as it was written.
enum PriceText {
    /// The price of a text that may be a range; the text itself where it is no number; `nil` for a number below
    /// zero.
    ///
    /// - Parameter currency: The one that is said beside the text.
    static func price(_ text: String, currency: String?) -> Price? {
        let hasSign = text.first.map("-−–".contains) ?? false
        if hasSign, single(String(text.dropFirst()), currency) != nil { return nil }
        if let price = single(text, currency) ?? repeated(text, currency) { return price }
        let parts = text.split { "–—-".contains($0) }.map { single(String($0), currency) }
        if parts.count == 2, let low = parts[0]?.amount, let high = parts[1]?.amount,
            let range = Price(low: low, high: high, currency: parts[0]?.currency ?? parts[1]?.currency)
        {
            return range
        }
        return Price(value: .text(text.replacing(tag, with: " / ")), currency: currency)
    }

    /// The price that a text says several times: `499€ 499€ 499`.
    private static func repeated(_ text: String, _ given: String?) -> Price? {
        let numbers = text.matches(of: /[0-9](?:[0-9.,'’\u{A0}\u{202F} ]*[0-9])?/)
        guard (2...5).contains(numbers.count) else { return nil }
        let gaps = zip(
            [text.startIndex] + numbers.map(\.range.upperBound),
            numbers.map(\.range.lowerBound) + [text.endIndex])
        let names = Set(
            gaps.map { text[$0..<$1].filter { !$0.isWhitespace && $0 != "/" && String($0) != tag } }
        )
        .subtracting([""])
        guard names.count <= 1 else { return nil }
        let prices = Set(numbers.map { single("\($0.output) \(names.first ?? "")", given) })
        return prices.count == 1 ? prices.first ?? nil : nil
    }

    /// The mark in the place of a tag.
    static let tag = "\u{1F}"

    /// The text with a blank for each tag, except between two numbers: one stays there, so that nothing reads
    /// the two as one.
    static func apart(_ text: String) -> String {
        guard text.contains(tag) else { return text }
        let parts = text.split(separator: tag).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        return parts.filter { !$0.isEmpty }.reduce(into: "") { text, part in
            let isBetweenNumbers = text.last?.isNumber == true && part.first?.isNumber == true
            text += (isBetweenNumbers ? tag : text.isEmpty ? "" : " ") + part
        }
    }

    /// The currency, given or named, decides how many digits may be behind a decimal point.
    private static func single(_ text: String, _ given: String?) -> Price? {
        let last = text.lastIndex(where: \.isASCIIDigit)
        guard let start = start(of: text), let last else { return nil }
        var before = text[..<start].filter { !$0.isWhitespace }.lowercased()
        var after = text[text.index(after: last)...].filter { !$0.isWhitespace && $0 != "*" }.lowercased()
        let ending = endings.first { after.hasPrefix($0) } ?? ""
        after.removeFirst(ending.count)
        let word = from.first { before.hasPrefix($0) } ?? ""
        before.removeFirst(word.count)
        if labels.contains(before) { before = "" }
        if let note = notes.first(where: after.hasSuffix) { after.removeLast(note.count) }
        // `US$ 5 USD` names one twice.
        let names = [before, after].filter { !$0.isEmpty }
        let currencies = names.compactMap(Self.currency)
        let named = currencies.max { $0.count < $1.count }
        // A symbol of several currencies says no more than what stands beside it; another code contradicts it.
        if let given, let named, named.count == 3, named != given { return nil }
        let currency = given ?? named
        let decimal = ending.count > 1 ? ending.first : nil
        guard currencies.count == names.count,
            let amount = amount(text[start...last], currency: currency, decimal: decimal)
        else { return nil }
        return Price(value: word.isEmpty ? .amount(amount) : .from(amount), currency: currency)
    }

    /// The first digit, or the point before it in `$.99` and `,99 €`, but not the one of `Fr.12`.
    private static func start(of text: String) -> String.Index? {
        guard let digit = text.firstIndex(where: \.isASCIIDigit), digit > text.startIndex else {
            return text.firstIndex(where: \.isASCIIDigit)
        }
        let before = text.index(before: digit)
        guard text[before] == "." || text[before] == "," else { return digit }
        let isAbbreviation = before > text.startIndex && text[text.index(before: before)].isLetter
        return isAbbreviation ? digit : before
    }

    /// The marks behind a price without a fraction.
    private static let endings = [".--", ",--", ".–", ",–", ".-", ",-", ".—", ",—", ":-", "–", "-", "."]

    /// The words that make a price the least of several.
    private static let from = [
        "from", "ab", "àpartirde", "apartirde", "desde", "da", "vanaf", "fra", "från", "od",
    ]

    /// The words that may stand before a price and behind it without making it another.
    private static let labels: Set = [
        "price:", "ourprice:", "preis:", "unserpreis:", "prix:", "precio:", "prezzo:", "prijs:", "цена:",
        "税込", "税込価格", "価格:",
    ]
    private static let notes = [
        "inkl.mwst.", "inkl.mwst", "incl.vat", "inc.vat", "ttc", "btwinbegrepen", "(税込)", "（税込）", "税込",
    ]

    /// A code, or what a symbol stands for; a symbol of several currencies stays what it is.
    static func currency(_ given: String) -> String? {
        if given.count == 3, given.allSatisfy({ $0.isASCII && $0.isLetter }) { return given.uppercased() }
        return symbols[given.lowercased()]
    }

    private static let symbols = Table.words(PackageResources.currencies_txt)

    /// The last of two kinds of separators is the decimal one, and so is one alone, unless three digits
    /// follow it: then it depends on the currency. `1,299` are thousands where amounts have two decimals, and
    /// `1.299` may be either.
    private static func amount(_ text: Substring, currency: String?, decimal: Character?) -> Decimal? {
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
        if last == " " || parts.count > 2 { return grouped(number) }
        // One group of three digits behind one to three others may be a fraction as well.
        if isAlone, fraction.count == 3, (1...3).contains(parts[0].count), parts[0] != "0" {
            if let decimal { return last == decimal ? nil : grouped(number) }
            if whole.contains(currency ?? "") || Price.minorDigits(of: currency) == 0 {
                return grouped(number)
            }
            let isThousandths = Price.minorDigits(of: currency) == 3
            if last == "," { return isThousandths ? nil : grouped(number) }
            if !isThousandths { return nil }
        }
        return grouped(String(parts[0]), fraction: "." + fraction)
    }

    /// Currencies with hundredths that prices do without.
    private static let whole: Set = ["IDR", "COP", "HUF"]

    /// The number without the separators between its thousands; `nil` where they stand elsewhere.
    private static func grouped(_ whole: String, fraction: String = "") -> Decimal? {
        let groups = whole.split { !$0.isASCIIDigit }
        guard Set(whole.filter { !$0.isASCIIDigit }).count <= 1,
            groups.count < 2 || groups[0].count <= 3 && groups.last?.count == 3,
            // In India groups of two stand before the last one.
            Set(groups.dropFirst().dropLast().map(\.count)).isSubset(
                of: (groups.first?.count ?? 0) < 3 ? [2, 3] : [3])
        else { return nil }
        return DecimalText.parse(groups.joined() + fraction)
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
