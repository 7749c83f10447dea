import Foundation
import Testing

@testable import ProductPage

@Suite struct DecimalTests {
    @Test(arguments: [
        ("129.90", "129.9"), ("19.99", "19.99"), ("0.1", "0.1"), ("-0", "0"), ("0.00", "0"), ("1E3", "1000"),
        ("1.5e-3", "0.0015"), ("+7", "7"), (".5", "0.5"), ("007", "7"), ("-12.50", "-12.5"),
        ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
        ("0.12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678"),
    ])
    func numbersComeOutExactly(text: String, plain: String) {
        #expect(DecimalText.parse(text).map { DecimalText.plain($0) } == plain)
    }

    @Test func everyCentUpToAHundredIsExact() {
        for cents in 0..<10_000 {
            let fraction = cents % 100
            let text = "\(cents / 100).\(fraction < 10 ? "0" : "")\(fraction)"
            #expect(DecimalText.parse(text) == Decimal(cents) / 100)
            #expect(DecimalText.parse(text).map { DecimalText.plain($0, fractionDigits: 2) } == text)
        }
    }

    @Test(arguments: [
        "", "-", ".", "1.", "1,299.00", "1.299,00", "1e400", "1e-400", "1e99999999999999999999", "NaN", "inf",
        "0x10", "1_000", "12 EUR", "٣", "１", "1.2.3", "1e1.5", "123456789012345678901234567890123456789",
    ])
    func whatCannotBeKeptExactlyIsNoNumber(text: String) {
        #expect(DecimalText.parse(text) == nil)
    }
}
