/// How much a cart takes. Products are foreign data: without bounds one of them could make the file larger
/// than what is read again.
extension Cart {
    /// More of one product than this is a mistake.
    static let maximumQuantity = 9_999
    static let maximumLines = 1_000
    /// Of an id or a name, in bytes.
    static let maximumTextLength = 256

    /// How a product's id is kept: whole, or as its beginning and a checksum, so that ids which differ only
    /// far behind stay apart.
    static func key(of id: Product.ID) -> String {
        guard id.utf8.count > maximumTextLength else { return id }
        return "\(id.prefix(bytes: maximumTextLength - 20))…\(Checksum(of: id.utf8))"
    }
}

extension Cart.Line {
    /// One piece of a product.
    init(_ product: Product) {
        self.init(
            id: Cart.key(of: product.id), name: product.name.kept, price: product.price?.amount,
            currency: product.price?.currency?.kept, quantity: 1)
    }
}

extension PageError {
    static let tooManyProducts = PageError.failed(
        "the cart has \(Cart.maximumLines) products, the most it takes; remove one first")

    static func tooManyPieces(of name: String) -> PageError {
        .failed("the cart has \(Cart.maximumQuantity) of “\(name.shortened(to: 60))”, the most it takes")
    }
}

extension String {
    /// At most as much as a line takes of a text.
    var kept: String {
        utf8.count > Cart.maximumTextLength ? prefix(bytes: Cart.maximumTextLength - 20) + "…" : self
    }

    /// The whole characters of the first `count` bytes; Unicode's, since one that people see has no bound.
    fileprivate func prefix(bytes count: Int) -> String {
        var length = 0
        return String(
            String.UnicodeScalarView(
                unicodeScalars.prefix { scalar in
                    length += UTF8.width(scalar)
                    return length <= count
                }))
    }
}
