import Foundation
import TestSupport
import Testing

@testable import ProductPage

@Suite struct CartFormatTests {
    @Test func theFileIsALineForEachProductWithItsPriceAsText() {
        #expect(
            text(of: Cart(lines: [.pot, .onRequest])) == """
                {"version":2,"checksum":"e3339727a5f9c19c","lines":[
                {"currency":"EUR","id":"é\\"1","name":"鉄瓶 / pot","price":"129.9","quantity":2},
                {"id":"b","name":"on\\u202e request","quantity":1}
                ]}

                """)
        #expect(
            text(of: Cart()) == """
                {"version":2,"checksum":"690753d13508e2b7","lines":[

                ]}

                """)
    }

    @Test func theFirstVersionIsStillRead() throws {
        let file = """
            {
              "lines" : [
                {"currency" : "EUR", "id" : "é\\"1", "name" : "鉄瓶 / pot", "price" : "129.9", "quantity" : 2},
                {"id" : "b", "name" : "on\\u202e request", "quantity" : 1}
              ],
              "version" : 1
            }

            """
        #expect(try CartFormat.cart(from: Array(file.utf8)) == Cart(lines: [.pot, .onRequest]))
    }

    @Test func whatWasWrittenMayNotChange() throws {
        let file = text(of: Cart(lines: [.pot]))
        for (said, other) in [
            ("129.9", "129.8"), ("EUR", "USD"), (":2}", ":3}"), ("/ pot", "/ pit"), ("currency", "Currency"),
            (#""price":"129.9","#, ""), (#""version""#, #""extra":1,"version""#), ("鉄", "\u{FFFD}"),
            ("]}\n", "]}"), ("\n", "\n\n"), (#""version":2"#, #""version": 2"#),
            (#""version":2"#, #""version":1"#),
        ] {
            let changed = file.replacing(said, with: other)
            #expect(changed != file)
            #expect(throws: CartFormat.Failure.damaged) { try CartFormat.cart(from: Array(changed.utf8)) }
        }
    }

    @Test(arguments: [
        "", "{", "[]", "null", "{}", #"{"version":1}"#, #"{"version":"1","lines":[]}"#,
        #"{"version":0,"lines":[]}"#, #"{"version":-1,"lines":[]}"#, #"{"version":1.5,"lines":[]}"#,
        #"{"version":1,"lines":{}}"#, #"{"version":1,"lines":[1]}"#,
        #"{"version":2,"lines":[]}"#, #"{"version":2,"checksum":0,"lines":[]}"#,
        #"{"version":2,"checksum":"0000000000000000","lines":[]}"#,
        #"{"version":1,"lines":[{"id":"a"}]}"#,
        #"{"version":1,"lines":[{"id":"a","name":"b","quantity":0}]}"#,
        #"{"version":1,"lines":[{"id":"a","name":"b","quantity":10000}]}"#,
        #"{"version":1,"lines":[{"id":"a","name":"b","quantity":1,"price":"1,5"}]}"#,
        #"{"version":1,"lines":[{"id":"a","name":"b","quantity":1,"price":1.5}]}"#,
        #"{"version":1,"lines":[{"id":"a","name":"b","quantity":1,"currency":1}]}"#,
        #"{"version":1,"lines":[{"id":"a","name":"b","quantity":1},{"id":"a","name":"b","quantity":1}]}"#,
        "{\"version\":1,\"lines\":[]}\u{0}",
    ])
    func whatNoProgramWroteIsDamaged(text: String) {
        #expect(throws: CartFormat.Failure.damaged) { try CartFormat.cart(from: Array(text.utf8)) }
    }

    @Test func whatIsNotUTF8IsDamaged() {
        for bytes: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80]] {
            let file =
                Array(#"{"version":1,"lines":[{"id":""#.utf8) + bytes
                + Array(#"","name":"b","quantity":1}]}"#.utf8)
            #expect(throws: CartFormat.Failure.damaged) { try CartFormat.cart(from: file) }
        }
    }

    @Test func aNewerVersionIsKnownWhateverElseItHas() {
        for (text, version) in [(#"{"version":3,"items":{}}"#, 3), (#"{"checksum":1,"version":77}"#, 77)] {
            #expect(throws: CartFormat.Failure.newer(version: version)) {
                try CartFormat.cart(from: Array(text.utf8))
            }
        }
    }

    @Test func everyCartIsReadAsItWasWritten() throws {
        var random = SeededGenerator(seed: 2)
        for _ in 1...rounds(20, stress: 50) {
            let cart = Cart(
                lines: (0..<Int.random(in: 0...8, using: &random)).map { .random($0, using: &random) })
            let bytes = CartFormat.bytes(of: cart)
            #expect(try CartFormat.cart(from: bytes) == cart)
            #expect(
                String(decoding: bytes, as: UTF8.self).split(separator: "\n").allSatisfy {
                    $0 == String($0).visible
                })
        }
    }

    private func text(of cart: Cart) -> String { String(decoding: CartFormat.bytes(of: cart), as: UTF8.self) }
}

extension Cart.Line {
    static let pot = Cart.Line(
        id: "é\"1", name: "鉄瓶 / pot", price: Decimal(sign: .plus, exponent: -2, significand: 12_990),
        currency: "EUR", quantity: 2)
    static let onRequest = Cart.Line(id: "b", name: "on\u{202E} request", quantity: 1)

    fileprivate static func random(_ number: Int, using random: inout SeededGenerator) -> Cart.Line {
        let scalars = (0..<Int.random(in: 0...20, using: &random)).compactMap { _ in
            Unicode.Scalar(
                UInt32.random(in: 0...0x11_FFFF, using: &random) >> UInt32.random(in: 0...14, using: &random))
        }
        let text = String(String.UnicodeScalarView(scalars))
        let digits = Decimal(UInt64.random(in: 0...(.max), using: &random))
        let price = Decimal(sign: .plus, exponent: .random(in: -38...18, using: &random), significand: digits)
        return Cart.Line(
            id: "\(number)\(text)", name: text, price: Bool.random(using: &random) ? price : nil,
            currency: Bool.random(using: &random) ? text : nil,
            quantity: .random(in: 1...Cart.maximumQuantity, using: &random))
    }
}
