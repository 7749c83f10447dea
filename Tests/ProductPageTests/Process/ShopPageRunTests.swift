import Foundation
import Testing

@testable import ProductPage

/// Pages as shop software serves them, with all that stands around the product, through the built tool.
@Suite(.timeLimit(.minutes(10))) struct ShopPageRunTests {
    private func page(
        _ html: String, type: String = "text/html; charset=utf-8", encoding: String.Encoding = .utf8,
        _ arguments: String...
    ) async throws -> Outcome {
        let body = try #require(html.data(using: encoding))
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: \(type)\r\n\r\n"
        let answer = Array(head.utf8) + body
        let server = try LoopbackServer.ofBytes { _ in AnySequence([answer]) }
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run([server.url("/p")] + arguments)
        #expect(outcome.errors == "")
        #expect(outcome.code == 0)
        return outcome
    }

    @Test("Shopify: a product for each variant, with what the group says of them all")
    func shopify() async throws {
        let shown = try await page(ShopifyPage.html)
        #expect(
            shown.output == """
                Harbour jumper - S / Navy
                  Brand:        Kelp & Co.
                  Price:        85.00 GBP
                  Availability: in stock
                  Id:           KLP-HJ-S
                  Page:         https://kelp.example/products/harbour-jumper?variant=41
                  Image:        https://kelp.example/cdn/shop/files/jumper.jpg?v=1&width=1920

                  Knitted in one piece & washed in rain.
                  Small batch; no two are alike.

                """)
        let list = try await page(ShopifyPage.html, "--list")
        #expect(
            list.lines == [
                "KLP-HJ-S  Harbour jumper - S / Navy: 85.00 GBP, in stock",
                "KLP-HJ-M  Harbour jumper - M / Navy: 85.00 GBP, out of stock",
            ])
    }

    @Test("WooCommerce: the price to pay, not the one that is struck through")
    func wooCommerce() async throws {
        let shown = try await page(WooCommercePage.html)
        #expect(
            shown.output == """
                Bergkäse, 12 Monate gereift
                  Price:        12.90 EUR
                  Availability: in stock
                  Rating:       4.67 of 5 (3 ratings)
                  Id:           BK-12
                  Page:         https://alp.example/produkt/bergkaese/
                  Image:        https://alp.example/wp-content/uploads/bergkaese.jpg

                  Rohmilch von Almkühen, & sonst nichts.
                  Im Keller gewendet – jeden Tag.

                """)
    }

    @Test("BigCommerce: broken scripts beside it, and line breaks in the middle of a text")
    func bigCommerce() async throws {
        let shown = try await page(BigCommercePage.html)
        #expect(
            shown.output == """
                Trail Pan 24cm
                  Brand:        Cast
                  Price:        64.00 USD
                  Availability: in stock
                  Rating:       5 of 5 (2 ratings)
                  Id:           PAN-24
                  Page:         https://field.example/trail-pan-24cm/
                  Image:        https://cdn.field.example/images/pan__1.jpg?c=2

                  Pre-seasoned. Weighs what it weighs.
                  24 cm
                  for two

                """)
    }

    @Test("Magento: a range of prices, in the encoding that the page names or its server does")
    func magento() async throws {
        let expected = """
            Lampe d’atelier “Élan”
              Brand:        Lumière & Fils
              Price:        89.00–129.50 EUR
              Availability: pre-order
              Rating:       93 of 100 (14 ratings)
              Id:           EL-1
              Image:        https://lumiere.example/a.jpg

              Bras articulé
              Abat-jour émaillé – 3 tailles

            """
        #expect(
            try await page(MagentoPage.html, type: "text/html", encoding: .windowsCP1252).output == expected)
        #expect(try await page(MagentoPage.html).output == expected)
    }

    @Test("a page whose product is in its markup alone says what it lacks")
    func microdata() async throws {
        let html =
            #"<html><div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Stuhl</h1></div></html>"#
        let server = try LoopbackServer { _ in answer("200 OK", ["Content-Type: text/html"], body: html) }
        try await expectFailure(
            server.url("/p"), code: 66,
            saying: "\(server.url("/p")): no schema.org Product: the page has no JSON-LD script")
    }
}
