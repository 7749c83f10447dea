/// A tag as it was found; attributes are places in the page until someone asks for one.
struct HTMLTag {
    struct Attribute {
        var name: Range<Int>
        var value: Range<Int>?
    }

    /// In lower case.
    var name: String
    var isEnd: Bool
    var attributes: [Attribute]
}

extension HTMLTag {
    /// The value of the first attribute of that name (the one that counts in HTML), entities decoded.
    func value(of name: String, in bytes: [UInt8]) -> String? {
        for attribute in attributes {
            let found = String(decoding: bytes[attribute.name], as: UTF8.self)
            guard found.lowercased() == name else { continue }
            return attribute.value.map { Entities.decoded(String(decoding: bytes[$0], as: UTF8.self)) } ?? ""
        }
        return nil
    }
}

extension UInt8 {
    var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercasedASCII) }

    var isHTMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 || self == 0x0C }

    var endsTagName: Bool { isHTMLSpace || self == UInt8(ascii: "/") || self == UInt8(ascii: ">") }

    var lowercasedASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
