/// A place in the source: where a promise was made, or an event was sent.
///
/// It prints as `Module/File.swift:12`.
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    // Address and line in one word, so that keeping the origin costs a promise eight bytes. Addresses of
    // static data have 48 bits on every platform that Swift runs on.
    @usableFromInline let packed: UInt64

    /// The place given by `#fileID` and `#line`. Lines beyond 65,535 are kept as 65,535.
    @inlinable
    public init(_ file: StaticString, _ line: UInt) {
        guard file.hasPointerRepresentation else {
            packed = 0
            return
        }
        packed = UInt64(UInt(bitPattern: file.utf8Start)) << 16 | UInt64(min(line, 0xFFFF))
    }

    /// The file as `#fileID` gives it: module, slash, file name.
    public var file: String {
        guard let start = UnsafePointer<UInt8>(bitPattern: UInt(packed >> 16)) else { return "unknown" }
        return String(cString: start)
    }

    /// The line, from 1; 0 where it is not known.
    public var line: Int { Int(packed & 0xFFFF) }

    /// File and line, as `Module/File.swift:12`.
    public var description: String { "\(file):\(line)" }
}
