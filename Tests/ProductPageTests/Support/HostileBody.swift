/// Bodies that no honest server sends.
enum HostileBody {
    /// A compressed body that unpacks to about 159 times its size, without an end: each 13 bits say "the
    /// last byte, 258 times more".
    ///
    /// - Parameter head: What comes before it.
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
        let piece = Array(repeatElement(period, count: 4096).joined())
        let first = Array(head.utf8) + gzipHead + (0..<again.count).map(byte)
        return AnySequence(sequence(first: first) { _ in piece })
    }

    /// Chunks of one byte each, without an end, as fast as they can be sent.
    static func flood(after head: String) -> AnySequence<[UInt8]> {
        let piece = Array(String(repeating: "1\r\n \r\n", count: 100_000).utf8)
        return AnySequence(sequence(first: Array(head.utf8)) { _ in piece })
    }

    /// Spaces without an end.
    static func endless(after head: String) -> AnySequence<[UInt8]> {
        let piece = [UInt8](repeating: 0x20, count: 256 * 1024)
        return AnySequence(sequence(first: Array(head.utf8)) { _ in piece })
    }

    /// As many bytes as the head announces, in pieces.
    static func spaces(megabytes: Int, after head: String) -> AnySequence<[UInt8]> {
        let piece = [UInt8](repeating: 0x20, count: 1024 * 1024)
        return AnySequence([[Array(head.utf8)], Array(repeating: piece, count: megabytes)].joined())
    }
}
