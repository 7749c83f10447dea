internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Reads an answer of HTTP/1 from a connection. An incomplete answer, or one that is no HTTP, is an error.
struct AnswerReading {
    let connection: SocketConnection
    /// Whether the request was for the head alone.
    let isHead: Bool
    let report: @Sendable (FetchProgress) -> Void
    /// Received, and not read yet.
    private var pending: ArraySlice<UInt8> = []
    private var body = Data()

    init(connection: SocketConnection, isHead: Bool, report: @escaping @Sendable (FetchProgress) -> Void) {
        (self.connection, self.isHead, self.report) = (connection, isHead, report)
    }

    mutating func answer() throws -> LoadedData {
        var (status, headers) = try head()
        // Answers that announce the one that follows.
        while (100...199).contains(status) { (status, headers) = try head() }
        var answer = LoadedData(Data(), status: status, headers: headers)
        if isHead || status == 204 || status == 304 { return answer }
        if answer.header("Transfer-Encoding")?.lowercased().contains("chunked") == true {
            try readChunks()
        } else if let length = answer.header("Content-Length") {
            guard let count = Int(length.trimmingCharacters(in: .whitespaces)), count >= 0 else {
                throw URLError(.cannotParseResponse)
            }
            try read(count, of: count)
        } else {
            while try fill() { take(pending.count, of: nil) }
        }
        answer.data = body
        return answer
    }

    private mutating func head() throws -> (status: Int, headers: [String: String]) {
        let parts = try line().split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), let status = Int(parts[1]), status >= 100
        else {
            throw URLError(.badServerResponse)
        }
        var headers: [String: String] = [:]
        while case let field = try line(), !field.isEmpty {
            guard let colon = field.firstIndex(of: ":") else { throw URLError(.badServerResponse) }
            let value = field[field.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            headers[String(field[..<colon])] = value
            guard headers.count < 1_000 else { throw URLError(.dataLengthExceedsMaximum) }
        }
        return (status, headers)
    }

    private mutating func readChunks() throws {
        while true {
            let size = try line().prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
            guard let count = Int(size, radix: 16), count >= 0 else { throw URLError(.cannotParseResponse) }
            if count == 0 { break }
            try read(count, of: nil)
            guard try line().isEmpty else { throw URLError(.cannotParseResponse) }
        }
        while try !line().isEmpty {}
    }

    /// Reads a line without its end.
    private mutating func line() throws -> String {
        var line: [UInt8] = []
        while true {
            guard try fill() else { throw URLError(.networkConnectionLost) }
            guard line.count < 100_000, let byte = pending.popFirst() else {
                throw URLError(.dataLengthExceedsMaximum)
            }
            if byte == 10 { return String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self) }
            line.append(byte)
        }
    }

    private mutating func read(_ count: Int, of total: Int?) throws {
        var rest = count
        while rest > 0 {
            guard try fill() else { throw URLError(.networkConnectionLost) }
            rest -= take(min(rest, pending.count), of: total)
        }
    }

    /// Moves received bytes to the body.
    @discardableResult
    private mutating func take(_ count: Int, of total: Int?) -> Int {
        body.append(contentsOf: pending.prefix(count))
        pending = pending.dropFirst(count)
        report(FetchProgress(completed: body.count, total: total))
        return count
    }

    /// Receives bytes; false at the end.
    private mutating func fill() throws -> Bool {
        if !pending.isEmpty { return true }
        pending = try connection.receive()[...]
        return !pending.isEmpty
    }
}
