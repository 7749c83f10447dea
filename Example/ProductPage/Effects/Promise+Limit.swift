import Foundation
import PromisedSystem

extension Promise {
    /// Gives up after `limit`, for all of it and not for each pause; the work is then cancelled.
    func limited(to limit: Duration, source: String) -> Promise {
        timeout(limit).mapError { error in
            guard case PromiseError.timedOut? = error as? PromiseError else { return error }
            return PageError.unavailable(source: source, reason: "no answer within \(seconds(limit)) s")
        }
    }
}

private func seconds(_ duration: Duration) -> String {
    let hundredths = Int((duration / .milliseconds(10)).rounded())
    guard hundredths % 100 != 0 else { return "\(hundredths / 100)" }
    return DecimalText.plain(Decimal(hundredths) / 100)
}
