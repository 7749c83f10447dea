import Foundation

extension Markup {
    /// The base of the relative addresses of the page: its `<base>`, its own address, or the one that it gives
    /// as its own.
    func base(at address: URL?) -> URL? {
        let given = page["base"].flatMap { URL(string: $0, relativeTo: address)?.absoluteURL } ?? address
        let own = [page["canonical"], page["og:url"]].lazy.compactMap { $0.flatMap(URL.init(string:)) }
        return given?.scheme == nil ? own.first { $0.scheme != nil } : given
    }
}

extension Product {
    /// With its addresses whole, where they were relative to `base`. Its id stays: a cart may have it.
    func withAddresses(base: URL) -> Product {
        func whole(_ address: String) -> String {
            guard address.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:/) == nil else { return address }
            return URL(string: address, relativeTo: base)?.absoluteString ?? address
        }
        var product = self
        (product.url, product.images) = (url.map(whole), images.map(whole))
        return product
    }
}
