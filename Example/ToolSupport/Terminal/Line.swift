/// A line of the screen: pieces of text, each with its style. Whatever text it is made of, a line has nothing in it
/// that a terminal would obey.
package struct Line: Sendable, Equatable {
    package private(set) var text = ""
    /// The same with the terminal's commands for its styles.
    private(set) var styled = ""

    package init() {}

    package init(_ text: String, _ style: Style = .plain) { self = Line().adding(text, style) }

    package var width: Int { DisplayWidth.of(text) }

    package func adding(_ text: String, _ style: Style = .plain) -> Line {
        var line = self
        line.text += text.visible
        line.styled += style == .plain ? text.visible : "\u{1B}[\(style.rawValue)m\(text.visible)\u{1B}[0m"
        return line
    }

    /// A text as lines. All but the first are indented, and the first as well where no label stands there, or one
    /// that has no room beside it and gets a line of its own.
    package static func wrapped(
        _ text: String, to width: Int, _ style: Style = .plain, after label: Line? = nil, indent: Int = 0
    ) -> [Line] {
        let body = text.visible.wrapped(to: width - indent)
        let lines = body.map { Line(String(repeating: " ", count: indent)).adding($0, style) }
        guard let label else { return lines }
        let isShort = body.count == 1 && label.width + 1 + DisplayWidth.of(body[0]) <= width
        guard let first = body.first, label.width < indent || isShort else { return [label] + lines }
        let gap = String(repeating: " ", count: max(1, indent - label.width))
        return [label.adding(gap).adding(first, style)] + lines.dropFirst()
    }
}

/// How a piece of text looks, with the numbers of its look ("select graphic rendition"): the terminal's own 8
/// colours, which its owner has chosen. The words say the same without.
package enum Style: String, Sendable, CaseIterable {
    case plain = ""
    case title = "1"
    case faint = "2"
    case good = "32"
    case warning = "33"
    case error = "1;31"
    case key = "36"
}
