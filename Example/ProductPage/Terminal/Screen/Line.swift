/// A line of the screen: pieces of text, each with its ink. Whatever text it is made of, a line has nothing in it
/// that a terminal would obey.
struct Line: Sendable, Equatable {
    /// More is not readable on a page; `--json` has it all.
    static let longestText = 10_000

    private(set) var text = ""
    /// The same with its looks.
    private(set) var colored = ""

    init(_ text: String = "", _ ink: Ink = .plain) { add(text, ink) }

    var width: Int { DisplayWidth.of(text) }

    private mutating func add(_ text: String, _ ink: Ink) {
        let text = text.drawable
        self.text += text
        colored += ink == .plain ? text : "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m"
    }

    func adding(_ text: String, _ ink: Ink = .plain) -> Line {
        var line = self
        line.add(text, ink)
        return line
    }

    /// A text as lines. All but the first are indented, and the first as well where no head stands there: a label,
    /// or on a line of its own one that has no room.
    static func wrapped(
        _ text: String, to width: Int, _ ink: Ink = .plain, after head: Line? = nil, indent: Int = 0
    ) -> [Line] {
        let body = text.shortened(to: longestText).drawable.wrapped(to: width - indent)
        let lines = body.map { Line(String(repeating: " ", count: indent)).adding($0, ink) }
        guard let head else { return lines }
        let isShort = body.count == 1 && head.width + 1 + DisplayWidth.of(body[0]) <= width
        guard let first = body.first, head.width < indent || isShort else { return [head] + lines }
        let gap = String(repeating: " ", count: max(1, indent - head.width))
        return [head.adding(gap).adding(first, ink)] + lines.dropFirst()
    }
}

/// What a piece of text is, with the numbers of its look ("select graphic rendition"): the terminal's own 8
/// colours, which its owner has chosen. The words say the same without.
enum Ink: String, Sendable, CaseIterable {
    case plain = ""
    case title = "1"
    case faint = "2"
    case good = "32"
    case warning = "33"
    case error = "1;31"
    case key = "36"
}
