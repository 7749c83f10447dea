/// What a terminal shows at one moment: lines from the top, none wider than the screen.
struct Frame: Sendable, Equatable {
    let size: ScreenSize
    /// As many as the screen has rows.
    let lines: [Line]

    /// What does not fit is cut; rows that are missing are empty.
    init(size: ScreenSize, lines: [Line]) {
        self.size = size
        let shown = lines.prefix(size.rows).map { $0.truncated(to: size.columns) }
        self.lines = shown + Array(repeating: Line(), count: size.rows - shown.count)
    }
}

/// A line of a frame: pieces of text, each with its ink.
struct Line: Sendable, Equatable {
    struct Span: Sendable, Equatable {
        var text: String
        var ink: Ink
    }

    private(set) var spans: [Span] = []

    init(_ text: String = "", _ ink: Ink = .plain) {
        if !text.isEmpty { spans = [Span(text: text, ink: ink)] }
    }

    var width: Int { spans.reduce(0) { $0 + DisplayWidth.of($1.text) } }

    func adding(_ text: String, _ ink: Ink = .plain) -> Line {
        var line = self
        if !text.isEmpty { line.spans.append(Span(text: text, ink: ink)) }
        return line
    }

    fileprivate func truncated(to columns: Int) -> Line {
        guard width > columns else { return self }
        var line = Line()
        var room = columns
        for span in spans where room > 0 {
            line = line.adding(span.text.truncated(to: room), span.ink)
            room -= DisplayWidth.of(span.text)
        }
        return line
    }
}

/// What a piece of text is, from which a terminal with colours makes its look. The words say the same
/// without.
enum Ink: Sendable, Equatable, CaseIterable {
    case plain, title, faint, good, warning, error, key
}
