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
        case .cannotConnectToHost: "connection refused, or no server there"
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
