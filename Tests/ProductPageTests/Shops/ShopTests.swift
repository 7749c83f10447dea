import Testing

@testable import ProductPage
@testable import ProductReading

/// A page as a shop system serves it, and what the list shows of it.
struct ShopPage: CustomTestStringConvertible {
    var name: String
    var html: String
    var list: [String]
    var testDescription: String { name }

    /// Each begins with a line `# name`; the lines that begin with `=` are the list's.
    static func pages(_ text: String) -> [ShopPage] {
        ("\n" + text).split(separator: "\n# ").map { page in
            let lines = page.split(separator: "\n").map(String.init)
            let html = lines.dropFirst().filter { !$0.hasPrefix("= ") }
            let list = lines.filter { $0.hasPrefix("= ") }.map { String($0.dropFirst(2)) }
            return ShopPage(name: lines[0], html: html.joined(separator: "\n"), list: list)
        }
    }
}

/// Pages as shop systems serve them, with what stands around the product.
@Suite struct ShopTests {
    @Test func thereAreMany() {
        #expect(ScriptShops.all.count == 13)
        #expect(MarkupShops.all.count == 11)
    }

    @Test(arguments: ScriptShops.all + MarkupShops.all)
    func theProductIsReadOffThePage(shop: ShopPage) throws {
        let catalogue = try ProductReader.read(Array(shop.html.utf8), from: "page")
        #expect(ProductText.list(catalogue.products) == shop.list)
    }
}
