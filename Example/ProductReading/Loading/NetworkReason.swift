import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why a request got no answer, in a few words that are the same on every platform.
enum NetworkReason {
    /// - Parameter hasBegun: whether the head of an answer had come.
    static func words(for error: any Error, hasBegun: Bool) -> String {
        guard let error = error as? URLError else { return "failed: \(error)" }
        // Linux has no codes for some of these.
        let untrusted = "the server's certificate cannot be trusted"
        return switch error.code {
        case .cannotConnectToHost: "connection refused, or no server there"
        case .cannotFindHost, .dnsLookupFailed: "no such host"
        case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
            .serverCertificateHasUnknownRoot:
            untrusted
        case .unknown where error.localizedDescription.contains("certificate"): untrusted
        case .networkConnectionLost where hasBegun, .unknown where hasBegun:
            "the connection was closed before the answer was complete"
        case .networkConnectionLost: "the connection was closed without an answer"
        case .badServerResponse: "the connection was closed without a proper answer"
        case .timedOut: "no answer in time"
        case .notConnectedToInternet: "no connection to the network"
        case .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData:
            "the answer is not proper HTTP"
        default: "failed: \(error.localizedDescription) (code \(error.code.rawValue))"
        }
    }
}
