/// Two texts of which one is long, cut to where they differ: of the parts that are equal, a few characters remain.
struct DifferingTexts {
    private(set) var before: String
    private(set) var after: String

    /// Texts up to this length are not cut.
    private static var short: Int { 80 }
    /// The number of equal characters that remain on each side of the difference.
    private static var context: Int { 15 }

    init(_ before: String, _ after: String) {
        (self.before, self.after) = (before, after)
        let shorter = min(before.count, after.count)
        guard max(before.count, after.count) > Self.short else { return }
        let start = zip(before, after).prefix { $0 == $1 }.count
        let end = zip(before.reversed(), after.reversed()).prefix(shorter - start).prefix { $0 == $1 }.count
        let (left, right) = (max(0, start - Self.context), max(0, end - Self.context))
        (self.before, self.after) = (
            Self.part(of: before, left, right), Self.part(of: after, left, right)
        )
    }

    private static func part(of text: String, _ left: Int, _ right: Int) -> String {
        (left > 0 ? "…" : "") + text.dropFirst(left).dropLast(right) + (right > 0 ? "…" : "")
    }
}
