import Foundation

/// How bytes spell text, by the names that servers and pages use for it.
enum TextEncoding: Sendable, Equatable {
    case utf8
    case utf16(highByteFirst: Bool)
    /// ASCII, and these for the bytes from 128 on.
    case singleByte([UInt16])
    /// One that takes more than a table.
    case foundation(String.Encoding)

    /// `nil` for a name that is not known.
    init?(label: String) {
        let label = label.lowercased()
        switch label {
        case "utf-8", "utf8": self = .utf8
        // As browsers take it: who does not say which byte comes first means Windows.
        case "utf-16", "utf-16le": self = .utf16(highByteFirst: false)
        case "utf-16be": self = .utf16(highByteFirst: true)
        // Pages that call themselves Latin 1 are Windows-1252, as every browser reads them.
        case "windows-1252", "cp1252", "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1", "us-ascii",
            "ascii":
            self = .singleByte(Self.windows1252)
        case "iso-8859-15", "iso8859-15", "iso_8859-15", "latin9", "l9": self = .singleByte(Self.latin9)
        default:
            guard let encoding = Self.others[label] else { return nil }
            self = encoding == .shiftJIS ? .foundation(encoding) : .singleByte(Self.table(encoding))
        }
    }

    /// The text; what is malformed becomes U+FFFD.
    func text(_ bytes: ArraySlice<UInt8>) -> String {
        switch self {
        case .utf8: return String(decoding: bytes, as: UTF8.self)
        case .utf16(let highByteFirst): return Self.utf16(bytes, highByteFirst: highByteFirst)
        case .singleByte(let upper):
            return String(
                decoding: bytes.lazy.map { $0 < 0x80 ? UInt16($0) : upper[Int($0) - 0x80] }, as: UTF16.self)
        case .foundation(let encoding):
            return String(bytes: bytes, encoding: encoding) ?? String(decoding: bytes, as: UTF8.self)
        }
    }
}

extension TextEncoding {
    /// The bytes from 128 to 159; those from 160 on are the same as in Unicode.
    static let windows1252High: [UInt16] = [
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
        0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
    ]

    private static let windows1252 = windows1252High + (0xA0...0xFF)

    /// Latin 1 with eight characters changed, the euro among them.
    private static let latin9 = (0x80...0xFF).map { (byte: UInt16) -> UInt16 in
        let changed: [UInt16: UInt16] = [
            0xA4: 0x20AC, 0xA6: 0x0160, 0xA8: 0x0161, 0xB4: 0x017D, 0xB8: 0x017E, 0xBC: 0x0152,
            0xBD: 0x0153, 0xBE: 0x0178,
        ]
        return changed[byte] ?? byte
    }

    private static let others: [String: String.Encoding] = [
        "windows-1250": .windowsCP1250, "cp1250": .windowsCP1250, "windows-1251": .windowsCP1251,
        "cp1251": .windowsCP1251, "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254,
        "iso-8859-9": .windowsCP1254, "iso-8859-2": .isoLatin2, "latin2": .isoLatin2,
        "shift_jis": .shiftJIS, "shift-jis": .shiftJIS, "sjis": .shiftJIS,
    ]

    /// Byte by byte, so that one without a meaning costs one character and not the text.
    private static func table(_ encoding: String.Encoding) -> [UInt16] {
        (UInt8(0x80)...0xFF).map { String(bytes: [$0], encoding: encoding)?.utf16.first ?? 0xFFFD }
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, highByteFirst: Bool) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var first: UInt8?
        for byte in bytes {
            guard let high = first else {
                first = byte
                continue
            }
            units.append(
                highByteFirst ? UInt16(high) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(high))
            first = nil
        }
        return String(decoding: units, as: UTF16.self)
    }
}
