/// A value that can be stored as bytes, which are the same on every machine.
protocol Storable {
    func store(in writer: inout ByteWriter)
    /// - Throws: ``UnexpectedEnd`` if the bytes end before the value does.
    init(from reader: inout ByteReader) throws
}

struct UnexpectedEnd: Error {}

struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ values: any Storable...) { for value in values { value.store(in: &self) } }

    /// Numbers near zero take one byte.
    mutating func write(number: Int) {
        var rest = UInt64(bitPattern: Int64(number << 1 ^ number >> (Int.bitWidth - 1)))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func write(word: UInt64) {
        for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * place))) }
    }

    mutating func write(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }
}

struct ByteReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func read<Value: Storable>() throws -> Value { try Value(from: &self) }

    mutating func byte() throws -> UInt8 {
        guard let byte = rest.popFirst() else { throw UnexpectedEnd() }
        return byte
    }

    mutating func number() throws -> Int {
        var (bits, place) = (UInt64(0), UInt64(0))
        var byte = try byte()
        while byte >= 0x80 {
            bits |= UInt64(byte & 0x7F) << place
            place += 7
            byte = try self.byte()
        }
        bits |= UInt64(byte) << place
        return Int(truncatingIfNeeded: bits >> 1) ^ -Int(bits & 1)
    }

    /// A number of things that follow, which take at least a byte each.
    mutating func count() throws -> Int {
        let count = try number()
        guard 0...rest.count ~= count else { throw UnexpectedEnd() }
        return count
    }

    mutating func word() throws -> UInt64 {
        try (0..<8).reduce(0) { word, place in try word | UInt64(byte()) << (8 * UInt64(place)) }
    }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8> {
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

extension Int: Storable {
    func store(in writer: inout ByteWriter) { writer.write(number: self) }
    init(from reader: inout ByteReader) throws { self = try reader.number() }
}

extension Int32: Storable {
    func store(in writer: inout ByteWriter) { writer.write(number: Int(self)) }
    init(from reader: inout ByteReader) throws { self = Int32(truncatingIfNeeded: try reader.number()) }
}

extension Bool: Storable {
    func store(in writer: inout ByteWriter) { writer.write(number: self ? 1 : 0) }
    init(from reader: inout ByteReader) throws { self = try reader.number() != 0 }
}

extension String: Storable {
    func store(in writer: inout ByteWriter) {
        writer.write(number: utf8.count)
        writer.write(utf8)
    }

    init(from reader: inout ByteReader) throws {
        let count = try reader.count()
        self = String(decoding: reader.bytes(count), as: UTF8.self)
    }
}

extension Array: Storable where Element: Storable {
    func store(in writer: inout ByteWriter) {
        writer.write(number: count)
        for element in self { element.store(in: &writer) }
    }

    init(from reader: inout ByteReader) throws {
        let count = try reader.count()
        self = []
        for _ in 0..<count { append(try reader.read()) }
    }
}

extension Optional: Storable where Wrapped: Storable {
    func store(in writer: inout ByteWriter) {
        writer.write(self != nil)
        if let self { self.store(in: &writer) }
    }

    init(from reader: inout ByteReader) throws {
        self = try Bool(from: &reader) ? try Wrapped(from: &reader) : nil
    }
}
