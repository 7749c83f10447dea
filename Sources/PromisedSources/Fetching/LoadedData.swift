public import Foundation

/// An answer from the web: data, with the status and the header that came with it.
public struct LoadedData: Sendable, Hashable {
    /// The body of the answer.
    public var data: Data
    /// The status, such as 200 or 404.
    public var status: Int
    /// The fields of the header.
    public var headers: [String: String]
    /// The address that has answered, behind all redirects; nil if that is not known.
    var address: URL?

    /// Creates an answer.
    public init(_ data: Data, status: Int = 200, headers: [String: String] = [:]) {
        (self.data, self.status, self.headers) = (data, status, headers)
    }

    /// A field of the header; its name is compared without regard to case. Nil if there is none.
    public func header(_ name: String) -> String? {
        headers[name] ?? headers.first { $0.key.lowercased() == name.lowercased() }?.value
    }
}

extension LoadedData {
    /// Compares data, status and header, whatever address they come from.
    public static func == (left: Self, right: Self) -> Bool {
        left.data == right.data && left.status == right.status && left.headers == right.headers
    }

    /// Hashes data, status and header.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(data)
        hasher.combine(status)
        hasher.combine(headers)
    }
}

/// An answer with a status that is no success.
public struct HTTPFailure: Error, Hashable, CustomStringConvertible {
    /// The status, such as 404 or 429.
    public var status: Int
    /// How long the server asks to wait before the next request; nil if it does not.
    public var retryAfter: Duration?
    /// The body of the answer, which may explain it.
    public var data: Data

    /// Creates a failure.
    public init(status: Int, retryAfter: Duration? = nil, data: Data = Data()) {
        (self.status, self.retryAfter, self.data) = (status, retryAfter, data)
    }

    /// The failure that an answer is.
    public init(_ answer: LoadedData) {
        self.init(status: answer.status, retryAfter: answer.retryAfter, data: answer.data)
    }

    /// The status, and the time to wait.
    public var description: String {
        "HTTP status \(status)" + (retryAfter.map { ", retry after \($0)" } ?? "")
    }
}

extension LoadedData {
    /// The field `Retry-After`: seconds, or an instant, which is compared to that of the answer, or to the present one
    /// if the answer has none.
    var retryAfter: Duration? {
        guard let text = header("Retry-After")?.trimmingCharacters(in: .whitespaces) else { return nil }
        if !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) {
            return .seconds(Int(text) ?? .max)
        }
        let date = header("Date").map { HTTPDate.read($0.trimmingCharacters(in: .whitespaces)) } ?? Date()
        guard let then = HTTPDate.read(text), let now = date else { return nil }
        return .seconds(Int(max(.zero, then.duration(since: now)).inSeconds.rounded(.up)))
    }
}

private enum HTTPDate {
    /// The present format, and two old ones that are still to be understood.
    private static let formats = [
        "EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy",
    ]

    static func read(_ text: String) -> Date? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        return formats.lazy.compactMap {
            format.dateFormat = $0
            return format.date(from: text)
        }.first
    }
}
