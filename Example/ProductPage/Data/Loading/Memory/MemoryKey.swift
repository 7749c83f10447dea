import Foundation

/// What a page is remembered by: the address that was asked for, without the part that no server sees.
struct MemoryKey: Equatable {
    let text: String

    /// `nil` for an address with a name or a password in it: neither is ever written down, and what is
    /// behind them is not for whoever reads the folder.
    init?(_ url: URL) {
        guard url.user == nil, url.password == nil else { return nil }
        var text = url.absoluteString
        if let fragment = text.firstIndex(of: "#") { text = String(text[..<fragment]) }
        self.text = text
    }

    /// The same in every run, and short, whatever the address.
    var fileName: String { Checksum(of: text.utf8).description + MemoryFolder.suffix }
}

/// Tells contents apart that differ by accident, not by intent (FNV-1a, 64 bits).
struct Checksum: Equatable, CustomStringConvertible {
    private let value: UInt64

    init(of bytes: some Sequence<UInt8>) {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        self.value = value
    }

    /// Sixteen digits.
    var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
