import Foundation

/// When a server wants to be asked again: its `Retry-After`.
enum RetryAfter {
    /// A day: no caller waits longer. No number is too large to be read.
    static let maximum = 86_400

    /// The form of today, and the two of old that every reader is to understand.
    private static let forms = [
        "EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy",
    ]

    /// How many seconds that is from `now` on, at most a day; nil where it says neither seconds nor a date.
    static func seconds(_ text: String, at now: Date) -> Int? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return min(Int(text) ?? maximum, maximum)
        }
        let formatter = DateFormatter()
        (formatter.locale, formatter.timeZone) = (Locale(identifier: "en_US_POSIX"), .gmt)
        for form in forms {
            formatter.dateFormat = form
            guard let date = formatter.date(from: text) else { continue }
            return Int(min(max(0, date.timeIntervalSince(now).rounded(.up)), Double(maximum)))
        }
        return nil
    }
}
