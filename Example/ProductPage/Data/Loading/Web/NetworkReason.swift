import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why a request got no answer, in a few words that are the same on every platform.
enum NetworkReason {
    private static let untrusted = "the server's certificate cannot be trusted"

    /// - Parameter hasBegun: whether the head of an answer had come.
    static func words(for error: any Error, hasBegun: Bool) -> String {
        guard let error = error as? URLError else { return "failed: \(error)" }
        return switch error.code {
        case .cannotConnectToHost: "connection refused, or nobody there"
        case .cannotFindHost, .dnsLookupFailed: "no such host"
        // Linux has no code for it, only for a connection that ends without any answer.
        case .networkConnectionLost where hasBegun, .unknown where hasBegun:
            "the connection was closed before the answer was complete"
        case .networkConnectionLost: "the connection was closed without an answer"
        case .timedOut: "no answer in time"
        case .notConnectedToInternet: "no connection to the network"
        case .httpTooManyRedirects: "redirects without end"
        case .badServerResponse: "the connection was closed without a proper answer"
        case .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData:
            "the answer is not proper HTTP"
        case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
            .serverCertificateHasUnknownRoot:
            untrusted
        // Linux has no code for that either.
        case .unknown where error.localizedDescription.contains("certificate"): untrusted
        case .secureConnectionFailed: "no secure connection could be made"
        default: "failed: \(error.localizedDescription) (code \(error.code.rawValue))"
        }
    }
}

/// HTTP's status codes as people know them.
enum HTTPStatus {
    /// For example `404 Not Found`; the number alone where it is none of the usual ones.
    static func description(of code: Int) -> String {
        names[code].map { "\(code) \($0)" } ?? "status \(code)"
    }

    private static let names = [
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other",
        304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden",
        404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout",
        409: "Conflict", 410: "Gone", 418: "I'm a teapot", 421: "Misdirected Request",
        422: "Unprocessable Content", 425: "Too Early", 429: "Too Many Requests",
        451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented",
        502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        505: "HTTP Version Not Supported", 508: "Loop Detected",
    ]
}
