/// Untrusted text on its way to the screen.
enum TextTarget {
    static func check(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        expectVisible(text.visible)
        expect(text.shortened(to: 20).count <= 20, "what is shortened is short")
        for columns in [1, 20, 80] {
            let lines = text.visible.wrapped(to: columns)
            for line in lines {
                // A wide character may be the only content of a line.
                expect(width(line) <= max(2, columns), "a line fits \(columns): \(line.debugDescription)")
            }
        }
    }

    private static func width(_ text: String) -> Int { text.reduce(0) { $0 + DisplayWidth.of($1) } }
}
