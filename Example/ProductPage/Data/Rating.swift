import Foundation

/// What buyers think of a product, on the scale that the shop uses.
struct Rating: Sendable, Hashable {
    var value: Decimal
    /// The best there is; schema.org says 5 where the data says nothing.
    var best: Decimal = 5
    var count: Int?
}

extension Rating: CustomStringConvertible {
    /// For example `4.6 of 5 (87 ratings)`.
    var description: String {
        let scale = "\(DecimalText.plain(value)) of \(DecimalText.plain(best))"
        return switch count {
        case nil: scale
        case 1: "\(scale) (1 rating)"
        case let count?: "\(scale) (\(count) ratings)"
        }
    }
}
