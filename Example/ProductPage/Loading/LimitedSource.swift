import Foundation
import ProductReading
import PromisedSystem
import ToolSupport

/// A source that gives up after a while, for all of a load and not for each pause in it, and passes on what the
/// user should know.
struct LimitedSource: CatalogueSource {
    let source: any CatalogueSource
    let limit: Duration
    /// The source in messages.
    let name: String
    let notice: @Sendable (String) -> Void

    func catalogue() -> Promise<Catalogue> {
        source.catalogue().timeout(limit).mapError { error in
            guard case PromiseError.timedOut? = error as? PromiseError else { return error }
            return PageError.unavailable(source: name, reason: "no answer within \(seconds) s")
        }
        .tap { for line in $0.notices { notice(line.visible) } }
    }

    private var seconds: String {
        let hundredths = Int((limit / .milliseconds(10)).rounded())
        return DecimalText.plain(Decimal(hundredths) / 100)
    }
}
