/// Turns the bytes of a terminal into keys. A key may come in several reads, and one read may hold many.
///
/// What is no key is dropped: answers of the terminal, sequences that mean nothing here, malformed UTF-8, and
/// all that is pasted, since a page has no place for text and must not take it for commands.
struct KeyDecoder: Sendable {
    private var waiting: [UInt8] = []
    /// Whether what comes is pasted, until its end; or, where that is lost, until `timeOut`.
    private(set) var isPasting = false

    /// Whether more bytes may follow that belong to the last ones. The Esc key sends the byte with which other
    /// keys begin, so only time tells: when nothing has followed, `timeOut` says what it was.
    var isWaiting: Bool { !waiting.isEmpty || isPasting }

    mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        waiting += bytes
        var keys: [Key] = []
        while !waiting.isEmpty {
            switch next(waiting[...]) {
            case .incomplete:
                if waiting.count > Self.bound { waiting.removeAll() }
                return keys
            case .token(let token, let length):
                waiting.removeFirst(length)
                if let key = take(token) { keys.append(key) }
            }
        }
        return keys
    }

    /// The key that began and did not go on.
    mutating func timeOut() -> Key? {
        defer { self = KeyDecoder() }
        return waiting == [escape] && !isPasting ? .escape : nil
    }

    private mutating func take(_ token: Token) -> Key? {
        switch token {
        case .key(let key): return isPasting ? nil : key
        case .pasteBegins: isPasting = true
        case .pasteEnds: isPasting = false
        case .nothing: break
        }
        return nil
    }
}

// MARK: - One token

extension KeyDecoder {
    /// Longer than any sequence: what goes on without end is let go of.
    private static let bound = 4096

    fileprivate enum Token {
        case key(Key), pasteBegins, pasteEnds, nothing
    }

    fileprivate enum Step {
        case incomplete
        case token(Token, length: Int)
    }

    private func next(_ bytes: ArraySlice<UInt8>) -> Step {
        guard let first = bytes.first else { return .incomplete }
        switch first {
        case escape: return sequence(bytes)
        case 0x0D, 0x0A: return .token(.key(.enter), length: 1)
        case 0x09: return .token(.key(.tab), length: 1)
        case 0x7F, 0x08: return .token(.key(.backspace), length: 1)
        case 0x01...0x1A:
            return .token(.key(.control(Character(Unicode.Scalar(first + 0x60)))), length: 1)
        case 0x00...0x1F: return .token(.nothing, length: 1)
        default: return character(bytes)
        }
    }

    private func character(_ bytes: ArraySlice<UInt8>) -> Step {
        let length =
            switch bytes.first ?? 0 {
            case ..<0x80: 1
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        // A byte that begins nothing, or one that is not followed by what it promises: that one is dropped.
        guard length > 0, bytes.dropFirst().prefix(length - 1).allSatisfy({ $0 & 0xC0 == 0x80 }) else {
            return .token(.nothing, length: 1)
        }
        guard bytes.count >= length else { return .incomplete }
        guard let text = String(validating: bytes.prefix(length), as: UTF8.self), let only = text.first else {
            return .token(.nothing, length: length)
        }
        return .token(.key(.character(only)), length: length)
    }

    private func sequence(_ bytes: ArraySlice<UInt8>) -> Step {
        guard let second = bytes.dropFirst().first else { return .incomplete }
        switch second {
        case UInt8(ascii: "["): return controlSequence(bytes)
        case UInt8(ascii: "O"):
            guard let third = bytes.dropFirst(2).first else { return .incomplete }
            return .token(Self.token(final: third, parameters: ""), length: 3)
        // Texts that a terminal sends when it is asked something; the page asks nothing.
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            return text(bytes)
        case escape: return .token(.key(.escape), length: 1)
        // A key with Alt, which is not Esc and then that key.
        default:
            guard case .token(_, let length) = next(bytes.dropFirst()) else { return .incomplete }
            return .token(.nothing, length: length + 1)
        }
    }

    private func controlSequence(_ bytes: ArraySlice<UInt8>) -> Step {
        let body = bytes.dropFirst(2)
        guard let end = body.firstIndex(where: { !(0x20...0x3F).contains($0) }) else { return .incomplete }
        let length = end - bytes.startIndex + 1
        // No sequence: what stands there may begin the next key.
        guard (0x40...0x7E).contains(body[end]) else { return .token(.nothing, length: length - 1) }
        let parameters = String(decoding: body[..<end], as: UTF8.self)
        return .token(Self.token(final: body[end], parameters: parameters), length: length)
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> Step {
        let body = bytes.dropFirst(2)
        guard let end = body.firstIndex(where: { $0 == 0x07 || $0 == escape }) else { return .incomplete }
        let length = end - bytes.startIndex + 1
        guard bytes[end] == escape else { return .token(.nothing, length: length) }
        guard let last = body[(end + 1)...].first else { return .incomplete }
        return .token(.nothing, length: last == UInt8(ascii: "\\") ? length + 1 : length - 1)
    }

    /// With or without Shift, Alt and Ctrl: those come as further parameters.
    private static func token(final: UInt8, parameters: String) -> Token {
        switch (final, parameters.prefix { $0 != ";" }) {
        case (UInt8(ascii: "A"), _): .key(.up)
        case (UInt8(ascii: "B"), _): .key(.down)
        case (UInt8(ascii: "C"), _): .key(.right)
        case (UInt8(ascii: "D"), _): .key(.left)
        case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"): .key(.home)
        case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"): .key(.end)
        case (UInt8(ascii: "~"), "3"): .key(.delete)
        case (UInt8(ascii: "~"), "5"): .key(.pageUp)
        case (UInt8(ascii: "~"), "6"): .key(.pageDown)
        case (UInt8(ascii: "~"), "200"): .pasteBegins
        case (UInt8(ascii: "~"), "201"): .pasteEnds
        default: .nothing
        }
    }
}

private let escape: UInt8 = 0x1B
