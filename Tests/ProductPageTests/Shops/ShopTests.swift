import Foundation
import Testing

@testable import ProductPage

/// Pages as shop systems serve them, with what stands around the product.
@Suite struct ShopTests {
    @Test(arguments: ScriptShops.all + MarkupShops.all)
    func theProductIsReadOffThePage(shop: String, html: String, lines: [String]) throws {
        let catalogue = try ProductReader.read(Array(html.utf8), from: "page")
        #expect(ProductText.list(catalogue.products) == lines)
    }

    @Test(
        "in the encoding that the server names",
        arguments: [
            ("windows-1252", .windowsCP1252), ("iso-8859-2", .isoLatin2), ("utf-16le", .utf16LittleEndian),
        ]
            as [(String, String.Encoding)])
    func encodings(charset: String, encoding: String.Encoding) throws {
        let (_, html, lines) = try #require(MarkupShops.all.first)
        let letters = html.filter { !"€«»".contains($0) }
        let body = try #require(letters.data(using: encoding))
        let catalogue = try ProductReader.read(Array(body), charset: charset, from: "page")
        #expect(ProductText.list(catalogue.products) == lines.map { $0.replacing("« Élan »", with: "Élan") })
    }
}
