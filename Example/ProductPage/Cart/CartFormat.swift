/// A cart as the text of its file.
///
/// ```json
/// {"version":2,"checksum":"7fb3c28c01e9a0d2","lines":[
/// {"currency":"EUR","id":"LMP-1","name":"Desk lamp","price":"129.9","quantity":2}
/// ]}
/// ```
///
/// The checksum is of all bytes from the second line on, so that a digit that changed by itself is not taken
/// for what somebody ordered. Version 1 had none, and is still read.
enum CartFormat {
    /// Counts up when an older program could no longer read the file.
    static let version = 2

    enum Failure: Error, Equatable {
        /// It is no cart, or not any more.
        case damaged
        /// A later program wrote it.
        case newer(version: Int)
    }

    static func bytes(of cart: Cart) -> [UInt8] {
        let lines = Array((cart.lines.map(\.json.description).joined(separator: ",\n") + "\n]}\n").utf8)
        return Array(title(of: lines).utf8) + lines
    }

    static func cart(from bytes: [UInt8]) throws(Failure) -> Cart {
        let lines = bytes[(bytes.firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.endIndex)...]
        let isWhole = bytes.starts(with: title(of: lines).utf8)
        let members = try members(of: bytes)
        guard case .number(let text) = members["version"], let version = Int(text), version > 0 else {
            throw .damaged
        }
        // A later format may change everything else.
        guard version <= Self.version else { throw .newer(version: version) }
        guard isWhole || version == 1 && members["checksum"] == nil,
            case .array(let values) = members["lines"]
        else { throw .damaged }
        return try cart(of: values)
    }

    /// The first line, with the checksum of the others.
    private static func title(of lines: some Sequence<UInt8>) -> String {
        #"{"version":\#(version),"checksum":"\#(Checksum(of: lines))","lines":[\#n"#
    }

    private static func members(of bytes: [UInt8]) throws(Failure) -> [String: JSON] {
        // The reader puts a sign for what is not UTF-8, which is fine for a page.
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .damaged }
        var reader = JSONReader(bytes)
        guard case .object(let members) = try? reader.document() else { throw .damaged }
        return members
    }

    private static func cart(of values: [JSON]) throws(Failure) -> Cart {
        let lines = values.compactMap(Cart.Line.init)
        guard lines.count == values.count, Set(lines.map(\.id)).count == lines.count else { throw .damaged }
        return Cart(lines: lines)
    }
}

extension Cart.Line {
    /// `nil` for what no `add` could have made.
    fileprivate init?(_ json: JSON) {
        guard let members = json.members,
            case .string(let id) = members["id"], case .string(let name) = members["name"],
            case .number(let digits) = members["quantity"], let quantity = Int(digits),
            (1...Cart.maximumQuantity).contains(quantity)
        else { return nil }
        self.init(id: Cart.key(of: id), name: name.kept, quantity: quantity)
        switch members["price"] {
        case nil: break
        case .string(let text):
            guard let price = DecimalText.parse(text) else { return nil }
            self.price = price
        default: return nil
        }
        switch members["currency"] {
        case nil: break
        case .string(let text): currency = text.kept
        default: return nil
        }
    }

    /// The price goes as text: as a JSON number other programs would read it as a binary fraction.
    fileprivate var json: JSON {
        var members: [String: JSON] = [
            "id": .string(id), "name": .string(name), "quantity": .number("\(quantity)"),
        ]
        members["price"] = price.map { .string(DecimalText.plain($0)) }
        members["currency"] = currency.map(JSON.string)
        return .object(members)
    }
}
