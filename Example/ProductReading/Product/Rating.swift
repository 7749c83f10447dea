package import Foundation

/// The opinion of buyers about a product, on the scale that the shop uses.
package struct Rating: Sendable, Hashable, Codable {
    package var value: Decimal
    /// The best there is, where the shop says it.
    package var best: Decimal?
    package var count: Int?
}

extension Rating: CustomStringConvertible {
    /// For example `4.6 of 5 (87)`, or `4.6 (87)` where the scale is not given.
    package var description: String {
        let scale = best.map { " of \(DecimalText.plain($0))" } ?? ""
        return DecimalText.plain(value) + scale + (count.map { " (\($0))" } ?? "")
    }
}
