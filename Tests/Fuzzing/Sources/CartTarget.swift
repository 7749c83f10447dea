import Foundation

/// The cart's file: as another program may have left it, as the program writes it, and with one byte damaged.
enum CartTarget {
    static func check(_ input: [UInt8]) {
        let outcome = Result { try Cart(json: Data(input)) }
        let again = Result { try Cart(json: Data(input)) }
        expect("\(outcome)" == "\(again)", "reading is deterministic")
        if let cart = try? outcome.get() { expectKept(cart) }

        let made = cart(of: input)
        expectKept(made)
        expectNoWorse(made, by: input)
    }

    /// A cart of products whose parts are separated by zero bytes.
    private static func cart(of input: [UInt8]) -> Cart {
        let texts = input.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        var cart = Cart()
        for start in stride(from: 0, to: texts.count - 3, by: 4) {
            let value = DecimalText.parse(texts[start + 2]).map(Price.Value.amount) ?? .text(texts[start + 2])
            let price = Price(value: value, currency: texts[start + 3].isEmpty ? nil : texts[start + 3])
            let product = Product(id: texts[start], name: texts[start + 1], price: price)
            let line = Cart.Line(product, from: texts[max(0, start - 1)])
            guard (try? cart.apply(.add(line))) == true else { continue }
            expect(cart.lines.contains { $0.id == line.id }, "what is added is there")
        }
        return cart
    }

    private static func expectKept(_ cart: Cart) {
        let json = try? cart.json
        let again = json.flatMap { try? Cart(json: $0) }
        expect(again == cart, "a cart is read as it was written: \(cart)")
        expect((try? again?.json) == json, "the same cart is the same file")
        let totals = cart.totals
        expect(Set(totals.map(\.currency)).count == totals.count, "a currency has one total")
        for amount in totals.compactMap(\.amount) {
            expect(DecimalText.parse(DecimalText.plain(amount)) == amount, "a total is exact: \(amount)")
        }
    }

    /// A file with a byte changed is a cart or damaged; one that is cut is damaged, but for the last line break.
    private static func expectNoWorse(_ cart: Cart, by input: [UInt8]) {
        guard var json = try? cart.json else { return }
        let number = input.suffix(4).reduce(0) { $0 << 8 | Int($1) }
        let place = (number >> 8) % json.count
        let cut = try? Cart(json: json.prefix(place))
        expect(
            cut == nil || cut == cart && place == json.count - 1,
            "a cart that is cut is damaged: \(place) in \(cart)")
        json[place] ^= UInt8(truncatingIfNeeded: number)
        if let changed = try? Cart(json: json) { expectKept(changed) }
    }
}
