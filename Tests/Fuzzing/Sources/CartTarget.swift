/// The cart's file: as another program may have left it, as the program writes it, and with one byte damaged.
enum CartTarget {
    static func check(_ input: [UInt8]) {
        let outcome = Result { try CartFormat.cart(from: input) }
        let again = Result { try CartFormat.cart(from: input) }
        expect("\(outcome)" == "\(again)", "reading is deterministic")
        if let cart = try? outcome.get() { expectKept(cart) }

        let made = cart(of: input)
        expectKept(made)
        expectDamageIsSeen(in: CartFormat.bytes(of: made), of: made, by: input)
    }

    /// A cart of products whose parts are separated by zero bytes.
    private static func cart(of input: [UInt8]) -> Cart {
        let texts = input.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        var cart = Cart()
        for start in stride(from: 0, to: texts.count - 3, by: 4) {
            let value = DecimalText.parse(texts[start + 2]).map(Price.Value.amount) ?? .text(texts[start + 2])
            let price = Price(value: value, currency: texts[start + 3].isEmpty ? nil : texts[start + 3])
            try? cart.add(Product(id: texts[start], name: texts[start + 1], price: price))
            expect(cart.quantity(of: texts[start]) > 0, "what is added is there")
        }
        return cart
    }

    private static func expectKept(_ cart: Cart) {
        let bytes = CartFormat.bytes(of: cart)
        let again = try? CartFormat.cart(from: bytes)
        expect(again == cart, "a cart is read as it was written: \(cart)")
        expect(again.map(CartFormat.bytes) == bytes, "the same cart is the same file")
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init).forEach(expectVisible)
        let totals = cart.totals
        expect(Set(totals.map(\.currency)).count == totals.count, "a currency has one total")
        for amount in totals.compactMap(\.amount) {
            expect(DecimalText.parse(DecimalText.plain(amount)) == amount, "a total is exact: \(amount)")
        }
    }

    private static func expectDamageIsSeen(in file: [UInt8], of cart: Cart, by input: [UInt8]) {
        let number = input.suffix(4).reduce(0) { $0 << 8 | Int($1) }
        let place = (number >> 8) % file.count
        var changed = file
        changed[place] ^= UInt8(truncatingIfNeeded: number)
        for damaged in [changed, Array(file.prefix(place))] {
            let read = try? CartFormat.cart(from: damaged)
            expect(read == nil || read == cart, "damage makes no other cart: \(place) in \(cart)")
        }
    }
}
