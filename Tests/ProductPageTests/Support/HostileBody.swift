/// Bodies that no honest server sends, each behind a head.
enum HostileBody {
    /// The head, and then the same piece again and again, without an end.
    static func endless(_ head: some Sequence<UInt8>, _ piece: [UInt8]) -> AnySequence<[UInt8]> {
        AnySequence(sequence(first: Array(head)) { _ in piece })
    }

    /// Spaces without an end.
    static func endless(after head: String) -> AnySequence<[UInt8]> {
        endless(head.utf8, [UInt8](repeating: 0x20, count: 256 * 1024))
    }

    /// Chunks of one byte each, without an end, as fast as they can be sent.
    static func flood(after head: String) -> AnySequence<[UInt8]> {
        endless(head.utf8, Array(String(repeating: "1\r\n \r\n", count: 100_000).utf8))
    }

    /// As many bytes as the head announces, in pieces.
    static func spaces(megabytes: Int, after head: String) -> AnySequence<[UInt8]> {
        let piece = [UInt8](repeating: 0x20, count: 1024 * 1024)
        return AnySequence([[Array(head.utf8)], Array(repeating: piece, count: megabytes)].joined())
    }

    /// A compressed body that unpacks to about 159 times its size, without an end: each 13 bits say "the
    /// last byte, 258 times more".
    static func bomb(after head: String) -> AnySequence<[UInt8]> {
        let gzipHead: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        // The last block, of fixed codes; then a space.
        let opening: [UInt8] = [1, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0]
        let again: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
        func byte(_ index: Int) -> UInt8 {
            (0..<8).reduce(0) { byte, bit in
                let place = index * 8 + bit
                let value =
                    place < opening.count ? opening[place] : again[(place - opening.count) % again.count]
                return byte | value << UInt8(bit)
            }
        }
        // The pattern comes round again after as many bytes as it has bits.
        let period = (0..<again.count).map { byte($0 + again.count) }
        let first = Array(head.utf8) + gzipHead + (0..<again.count).map(byte)
        return endless(first, Array(repeatElement(period, count: 4096).joined()))
    }
}
