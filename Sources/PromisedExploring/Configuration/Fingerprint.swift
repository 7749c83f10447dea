/// A list of numbers as 128 bits. Two lists with the same fingerprint are taken for equal: among a million of different
/// ones, the probability that any two have the same is below one in 10^26.
///
/// Appending to a list continues its fingerprint.
struct Fingerprint: Hashable, Sendable {
    private var first: UInt64 = 0x243F_6A88_85A3_08D3
    private var second: UInt64 = 0x1319_8A2E_0370_7344

    /// The words of a fingerprint, from which it can be created again.
    var words: (UInt64, UInt64) { (first, second) }

    init() {}

    init(_ words: (UInt64, UInt64)) { (first, second) = words }

    mutating func append(_ number: Int) {
        let word = UInt64(bitPattern: Int64(number))
        first = Self.mix(first ^ word, 0x9E37_79B9_7F4A_7C15)
        second = Self.mix(second &+ word, 0xD6E8_FEB8_6659_FD93) ^ first
    }

    /// The place where a table of a power of two begins to look for it.
    var hash: Int { Int(truncatingIfNeeded: first) }

    private static func mix(_ number: UInt64, _ factor: UInt64) -> UInt64 {
        let mixed = (number ^ (number >> 32)) &* factor
        return (mixed ^ (mixed >> 29)) &* 0xBF58_476D_1CE4_E5B9 ^ (mixed >> 32)
    }
}

/// Numbers fingerprints in the order in which they are added.
struct FingerprintTable: Sendable {
    private(set) var all: [Fingerprint] = []
    /// The numbers by hash; -1 is free. At most half of the places are taken.
    private var places: [Int32] = Array(repeating: -1, count: 64)

    /// The size of the fingerprints and their places, two places for each.
    var bytes: Int { all.count * (MemoryLayout<Fingerprint>.stride + 2 * MemoryLayout<Int32>.stride) }

    /// The number of a fingerprint; nil if it was not added.
    func number(of fingerprint: Fingerprint) -> Int? {
        let number = places[place(of: fingerprint)]
        return number < 0 ? nil : Int(number)
    }

    /// - Parameter fingerprint: One that was not added.
    mutating func add(_ fingerprint: Fingerprint) {
        if 2 * all.count >= places.count { grow() }
        places[place(of: fingerprint)] = Int32(all.count)
        all.append(fingerprint)
    }

    private func place(of fingerprint: Fingerprint) -> Int {
        let mask = places.count - 1
        var place = fingerprint.hash & mask
        while places[place] >= 0, all[Int(places[place])] != fingerprint { place = (place + 1) & mask }
        return place
    }

    private mutating func grow() {
        places = Array(repeating: -1, count: 2 * places.count)
        for (number, fingerprint) in all.enumerated() { places[place(of: fingerprint)] = Int32(number) }
    }
}
