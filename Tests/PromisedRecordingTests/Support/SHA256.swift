import Foundation

/// The SHA-256 of bytes, in Base64, for the policies of pages.
enum SHA256 {
    /// The first 32 bits of the fractional parts of roots of the first primes, as the standard defines them.
    private static func constants(_ count: Int, root: Double) -> [UInt32] {
        let primes = (2...400).lazy.filter { number in !(2..<number).contains { number % $0 == 0 } }.prefix(
            count)
        return primes.map { fraction(of: Int($0), root: root) }
    }

    /// Exact, unlike a root in floating point: the largest number whose power is not above the prime's.
    private static func fraction(of prime: Int, root: Double) -> UInt32 {
        var (low, high) = (UInt64(0), UInt64(32) << 32)
        while high - low > 1 {
            let middle = (low + high) / 2
            if isAbove(middle, prime, cubed: root == 3) { high = middle } else { low = middle }
        }
        return UInt32(truncatingIfNeeded: low)
    }

    /// Whether `value / 2^32`, squared or cubed, is above the prime.
    private static func isAbove(_ value: UInt64, _ prime: Int, cubed: Bool) -> Bool {
        let wide = UInt128(value)
        let limit = UInt128(prime) << (cubed ? 96 : 64)
        return (cubed ? wide * wide * wide : wide * wide) > limit
    }

    static func base64(of text: String) -> String {
        var message = Array(text.utf8)
        let length = UInt64(message.count * 8)
        message.append(0x80)
        while message.count % 64 != 56 { message.append(0) }
        message += (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
        let round = constants(64, root: 3)
        var hash = constants(8, root: 2)
        for start in stride(from: 0, to: message.count, by: 64) {
            mix(&hash, message[start..<start + 64], round)
        }
        return Data(hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } })
            .base64EncodedString()
    }

    private static func mix(_ hash: inout [UInt32], _ block: ArraySlice<UInt8>, _ round: [UInt32]) {
        func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }
        var words = (0..<16).map { word in
            (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(block[block.startIndex + word * 4 + $1]) }
        }
        for index in 16..<64 {
            let (first, second) = (words[index - 15], words[index - 2])
            let low = rotated(first, 7) ^ rotated(first, 18) ^ first >> 3
            let high = rotated(second, 17) ^ rotated(second, 19) ^ second >> 10
            words.append(words[index - 16] &+ low &+ words[index - 7] &+ high)
        }
        var state = hash
        for index in 0..<64 {
            let (a, e) = (state[0], state[4])
            let high = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let first = state[7] &+ high &+ (e & state[5] ^ ~e & state[6]) &+ round[index] &+ words[index]
            let low = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let second = low &+ (a & state[1] ^ a & state[2] ^ state[1] & state[2])
            state = [first &+ second] + state[0..<3] + [state[3] &+ first] + state[4..<7]
        }
        for index in 0..<8 { hash[index] &+= state[index] }
    }
}
