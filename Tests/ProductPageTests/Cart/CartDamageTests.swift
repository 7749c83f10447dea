import Foundation
import TestSupport
import Testing

@testable import ProductPage

/// A file of about a kibibyte in which something changed by itself.
@Suite struct CartDamageTests {
    private static let cart = Cart(
        lines: (1...10).map { number in
            Cart.Line(
                id: "LMP-\(number)", name: "Ålesund lamp \(number)",
                price: Decimal(sign: .plus, exponent: -2, significand: Decimal(12_990 + number)),
                currency: "EUR", quantity: number)
        })
    private static let file = CartFormat.bytes(of: cart)

    @Test func everyPrefixIsDamaged() {
        #expect((900...1_200).contains(Self.file.count))
        // Only the last line break says nothing.
        for length in 0..<(Self.file.count - 1) {
            #expect(throws: CartFormat.Failure.damaged) {
                try CartFormat.cart(from: Array(Self.file.prefix(length)))
            }
        }
    }

    @Test("no single bit that is turned over changes the cart")
    func bits() {
        for bit in 0..<8 {
            for place in Self.file.indices { expectNoOtherCart(from: place, xor: [1 << bit]) }
        }
    }

    @Test("nor do several bytes in a row, wherever they are")
    func bursts() {
        var random = SeededGenerator(seed: 23)
        for _ in 1...rounds(200, stress: 1_000) {
            let place = Int.random(in: 0..<Self.file.count - 16, using: &random)
            let count = Int.random(in: 1...16, using: &random)
            expectNoOtherCart(
                from: place, xor: (0..<count).map { _ in .random(in: 0...255, using: &random) })
        }
    }

    private func expectNoOtherCart(from place: Int, xor changes: [UInt8]) {
        var changed = Self.file
        for (index, change) in changes.enumerated() { changed[place + index] ^= change }
        if let cart = try? CartFormat.cart(from: changed), cart != Self.cart {
            Issue.record("\(changes) at \(place) made another cart")
        }
    }
}
