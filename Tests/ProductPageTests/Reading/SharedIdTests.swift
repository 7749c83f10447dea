import Testing

@testable import ProductPage

@Suite struct SharedIdTests {
    @Test("where several nodes claim one id, the same one counts in every run")
    func duplicates() throws {
        let nodes = (1...9).map { #""part\#($0)": {"@id": "o", "price": \#($0), "priceCurrency": "EUR"}"# }
        let rest = nodes.joined(separator: ",")
        let text = #"{"@type": "Product", "name": "P", "offers": {"@id": "o"}, \#(rest)}"#
        for _ in 1...20 {
            let catalogue = try ProductReader.read(Array(text.utf8), from: "a.json")
            #expect(catalogue.products.map { $0.price?.description } == ["9.00 EUR"])
        }
    }
}
