import Foundation
import Testing

@testable import ProductPage
@testable import ProductReading

/// Addresses in the data, and what is no text at all.
@Suite struct AddressTests {
    @Test(
        "a relative address is one of the page, or of the base that the page names",
        arguments: rows(
            """
            /p => https://s.example/p | p?q#f => https://s.example/a/p?q#f | //cdn.example/p => https://cdn.example/p
            https://o.example/p => https://o.example/p | ../p => https://s.example/p | data:x => data:x
            javascript:x => javascript:x | ?v=1 => https://s.example/a/b?v=1 | http:// => http:// | été => https://s.example/a/%C3%A9t%C3%A9
            """))
    func addresses(row: Row) throws {
        func read(_ head: String, at address: String?) throws -> [String?] {
            let text =
                #"{"@type":"Product","sku":"1","name":"x","url":"\#(row.given)","image":["\#(row.given)"]}"#
            let page = "\(head)<script type=application/ld+json>\(text)</script>"
            let found = try ProductReader.read(
                Array(page.utf8), from: "page", address: address.flatMap(URL.init(string:))
            ).products[0]
            return [found.url, found.images.first]
        }
        let expected: [String?] = [row.expected, row.expected]
        #expect(try read("<p>", at: "https://s.example/a/b") == expected)
        #expect(try read("<base href=https://s.example/a/b>", at: nil) == expected)
        #expect(
            try read("<base href=/a/><base href=/x>", at: "https://s.example/c")
                == (row.given == "?v=1"
                    ? ["https://s.example/a/?v=1", "https://s.example/a/?v=1"] : expected))
        #expect(try read("<link rel=canonical href=https://s.example/a/b>", at: nil) == expected)
        // Nothing says where the page is from.
        #expect(try read("<link rel=canonical href=/c>", at: nil) == [row.given, row.given])
    }

    @Test("what names a product within its source stays as it is")
    func ids() throws {
        let found = try ProductReader.read(
            Array(#"{"@type":"Product","name":"x","url":"/p"}"#.utf8), from: "page",
            address: URL(string: "https://s.example/a"))
        #expect(found.products.map(\.id) == ["/p"])
        #expect(ProductJSON(found.products[0]).jsonLine.contains(#""url":"https://s.example/p""#))
    }

    @Test(
        "what is no text is called by its name",
        arguments: rows(
            """
            255044462D312E37 => a PDF document | 89504E470D0A1A0A => a picture | FFD8FFE000104A46 => a picture
            474946383961 => a picture | 524946460000000057454250 => a picture | 504B0304 => a ZIP archive
            1F8B08000000 => compressed data | 000000206674797061766966 => a picture | 424D36 => none
            7F454C4602010100 => no text | 7B2200010203 => no text | 4F676753000200 => no text
            """))
    func binary(row: Row) throws {
        let digits = Array(row.given)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...($0 + 1)]), radix: 16)
        }
        let said = message { _ = try ProductReader.read(bytes + Array(repeating: 7, count: 9), from: "x") }
        let isText = row.expected == "none"
        #expect(
            isText ? !said.contains("neither") : said == "x: is \(row.expected), and neither a page nor JSON")
    }
}
