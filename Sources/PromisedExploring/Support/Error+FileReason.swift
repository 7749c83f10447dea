internal import Foundation

extension Error {
    /// Why a file cannot be read or written, in a few words: "No such file or directory".
    var fileReason: String {
        guard let error = self as? CocoaError else { return "\(self)" }
        guard let cause = error.underlying as? POSIXError else { return error.localizedDescription }
        return String(cString: strerror(cause.code.rawValue))
    }
}
