/// A place in the source code: where a promise was created, or an event was sent.
///
/// Its description is `Module/File.swift:12`, or `"label" at Module/File.swift:12`. Creating one allocates nothing.
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    // The address of the file name and the line, packed into one word, so that a promise stores its place in eight
    // bytes. Addresses of static data have at most 48 bits on every platform that Swift supports.
    @usableFromInline package let place: UInt64
    /// The label that was passed when the promise was created; nil if there was none, and for events.
    public let label: String?

    @usableFromInline
    package init(place: UInt64, label: String? = nil) { (self.place, self.label) = (place, label) }

    /// The origin of what has no known one.
    package static let unknown = Origin(place: 0)

    /// Creates an origin from `#fileID` and `#line`. Lines above 65,535 are stored as 65,535.
    @inlinable
    public init(_ file: StaticString, _ line: UInt, label: String? = nil) {
        self.label = label
        guard file.hasPointerRepresentation else {
            place = 0
            return
        }
        place = UInt64(UInt(bitPattern: file.utf8Start)) << 16 | UInt64(min(line, 0xFFFF))
    }

    /// The module and file name, as given by `#fileID`; "unknown" if there is none.
    public var file: String { staticText(at: UInt(place >> 16)) ?? "unknown" }

    /// The line number, starting at 1; 0 if it is unknown.
    public var line: Int { Int(place & 0xFFFF) }

    /// The file and line, as `Module/File.swift:12`, preceded by the label, if any.
    public var description: String {
        let place = "\(file):\(line)"
        return label.map { "\"\($0)\" at \(place)" } ?? place
    }
}
