/// A table that is a file: on each line a name, a space, and what it stands for.
enum Table {
    static func words(_ file: [UInt8]) -> [String: String] {
        let lines = String(decoding: file, as: UTF8.self).split(separator: "\n")
        let rows = lines.map { $0.split(separator: " ").map(String.init) }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }

    /// Of numbers in hexadecimal digits.
    static func numbers(_ file: [UInt8]) -> [String: UInt32] {
        words(file).compactMapValues { UInt32($0, radix: 16) }
    }
}
