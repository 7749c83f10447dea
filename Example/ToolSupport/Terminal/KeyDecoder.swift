/// Turns the bytes of a terminal into keys, each by the name that is printed on it: `a`, `↑`, `Ctrl-D`. A key may
/// come in several reads, and one read may hold many.
///
/// Other input is dropped: sequences without a meaning here, and pasted text, which must not be taken for commands.
package struct KeyDecoder: Sendable {
    private enum State: Equatable {
        case ground, escape
        /// `ESC [` or `ESC O`, and these parameters.
        case sequence(String)
    }

    private var state = State.ground
    /// Whether the input is pasted, until its end; or, where that is lost, until `timeOut`.
    private var isPasting = false
    /// The bytes so far of a letter beyond ASCII.
    private var letter: [UInt8] = []

    package init() {}

    /// How long more bytes may take that belong to the last ones; nil where those are whole.
    ///
    /// The Esc key sends the byte with which other keys begin, so only time decides: when nothing has followed,
    /// `timeOut` says what it was. The rest of a key comes at once; only a slow line lets it wait. Between two parts
    /// of pasted text more time may pass: it must not be taken for keys.
    package var patience: Duration? { isPasting ? .seconds(1) : state != .ground ? .milliseconds(50) : nil }

    package mutating func decode(_ bytes: some Sequence<UInt8>) -> [String] { bytes.compactMap { next($0) } }

    /// The key that began and did not go on.
    package mutating func timeOut() -> [String] {
        defer { self = KeyDecoder() }
        return state == .escape && !isPasting ? ["Esc"] : []
    }

    private mutating func next(_ byte: UInt8) -> String? {
        let before = state
        state = .ground
        if byte < 0x80 { letter = [] }
        switch (before, byte) {
        case (.ground, 0x1B), (.escape, 0x1B):
            state = .escape
            return before == .escape && !isPasting ? "Esc" : nil
        case (.escape, UInt8(ascii: "[")), (.escape, UInt8(ascii: "O")): state = .sequence("")
        // With Alt it is no key, and not Esc and then that key.
        case (.escape, _): break
        case (.ground, 0x80...): return isPasting ? nil : letter(byte)
        case (.ground, _): return isPasting ? nil : Self.key(byte)
        case (.sequence(let parameters), 0x20...0x3F):
            // Longer than any that means something: only its end is of interest.
            state = .sequence(String((parameters + "\(Unicode.Scalar(byte))").prefix(32)))
        case (.sequence(let parameters), 0x40...0x7E): return end(parameters, byte)
        // Broken off: this byte may begin the next key.
        case (.sequence, _): return next(byte)
        }
        return nil
    }

    /// A letter in UTF-8, when its last byte has come. What cannot become one is dropped.
    private mutating func letter(_ byte: UInt8) -> String? {
        if byte >= 0xC2 { letter = [] }
        guard byte >= 0xC2 || !letter.isEmpty, letter.count < 4 else { return nil }
        letter.append(byte)
        guard let text = String(validating: letter, as: UTF8.self) else { return nil }
        letter = []
        return text
    }

    private static func key(_ byte: UInt8) -> String? {
        switch byte {
        case 0x08, 0x7F: "Backspace"
        case 0x0D: "Enter"
        case 0x01...0x1A: "Ctrl-\(Unicode.Scalar(byte + 0x40))"
        case 0x20: "Space"
        case 0x21...0x7E: "\(Unicode.Scalar(byte))"
        default: nil
        }
    }

    /// With or without Shift, Alt and Ctrl: those come as further parameters.
    private mutating func end(_ parameters: String, _ final: UInt8) -> String? {
        let isNumbered = final == UInt8(ascii: "~")
        let name = isNumbered ? String(parameters.prefix { $0 != ";" }) : "\(Unicode.Scalar(final))"
        if name == "200" || name == "201" { isPasting = name == "200" }
        return isPasting ? nil : Self.keys[name]
    }

    /// By the end of the sequence, or by its number where that is `~`.
    private static let keys = [
        "A": "↑", "B": "↓", "C": "→", "D": "←", "H": "Home", "F": "End", "1": "Home", "7": "Home", "4": "End",
        "8": "End", "3": "Del", "5": "PgUp", "6": "PgDn",
    ]
}
