package import Foundation

/// A day of the calendar, as `validThrough` and its kind name one.
package struct Day: Sendable, Hashable, Comparable, CustomStringConvertible {
    let year, month, day: Int

    package static func < (first: Day, second: Day) -> Bool {
        (first.year, first.month, first.day) < (second.year, second.month, second.day)
    }

    /// As the data writes it: `2026-05-10`.
    package var description: String {
        [(year, 4), (month, 2), (day, 2)].map { number, count in
            String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
        }
        .joined(separator: "-")
    }
}

extension Day {
    /// The day that it is at `time`, by default where the reader is.
    package init(_ time: Date = Date(), in zone: TimeZone = .current) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.year, .month, .day], from: time)
        self.init(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0)
    }

    /// The day in an ISO 8601 text, whatever time follows. None where it is the one that programs write for no day
    /// (`0000-00-00`, `1970-01-01`), or has another form, which could be read in two ways.
    init?(_ text: String) {
        guard let parts = text.prefixMatch(of: /\s*(\d{4})(-?)(\d\d)\2(\d\d)(?!\d)/),
            let year = Int(parts.1), let month = Int(parts.3), let day = Int(parts.4),
            year > 1970, (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }
}

extension Node {
    /// With a note where its dates say that it does not count today. It stays with the node, whatever else is said of
    /// that in other places.
    fileprivate static let note = "@dates"

    /// When it counts, in words, where that is not today: `until 2026-05-10`.
    var dates: String? { self[Self.note]?.text }

    func marked(on today: Day) -> Node {
        func days(_ names: String...) -> [Day] { names.compactMap { self[$0]?.text.flatMap(Day.init) } }
        let (from, until) = (
            days("validFrom").max(), days("validThrough", "priceValidUntil", "availabilityEnds").min()
        )
        var node = self
        if let from, today < from { node[Self.note] = .string("from \(from)") }
        if let until, until < today { node[Self.note] = .string("until \(until)") }
        return node
    }
}
