/// A place in the source: where a promise was made, or an event was sent.
///
/// It prints as `Module/File.swift:12`.
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    // Address and line in one word, so that keeping the place costs a promise eight bytes. Addresses of
    // static data have 48 bits on every platform that Swift runs on.
    @usableFromInline package let place: UInt64
    /// What whoever made the promise called it.
    public let label: String?

    @usableFromInline
    package init(place: UInt64, label: String? = nil) { (self.place, self.label) = (place, label) }

    /// The place given by `#fileID` and `#line`. Lines beyond 65,535 are kept as 65,535.
    @inlinable
    public init(_ file: StaticString, _ line: UInt, label: String? = nil) {
        self.label = label
        guard file.hasPointerRepresentation else {
            place = 0
            return
        }
        place = UInt64(UInt(bitPattern: file.utf8Start)) << 16 | UInt64(min(line, 0xFFFF))
    }

    /// The file as `#fileID` gives it: module, slash, file name.
    public var file: String {
        guard let start = UnsafePointer<UInt8>(bitPattern: UInt(place >> 16)) else { return "unknown" }
        return String(cString: start)
    }

    /// The line, from 1; 0 where it is not known.
    public var line: Int { Int(place & 0xFFFF) }

    /// File and line, as `Module/File.swift:12`, and before them the label, if there is one.
    public var description: String {
        let place = "\(file):\(line)"
        return label.map { "\"\($0)\" at \(place)" } ?? place
    }
}
