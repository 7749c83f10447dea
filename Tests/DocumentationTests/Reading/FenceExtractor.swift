/// Finds the fenced blocks of a Markdown text.
///
/// It implements only the rules for where a block begins and ends: backticks or tildes, three or more; closed by at
/// least as many of the same; indented in a list or quoted with `>`, in which case the same prefix is
/// taken off the code. It is not a Markdown parser beyond that.
struct FenceExtractor {
    /// Where the attributes of a Swift fence may stand.
    enum AttributeStyle {
        /// After the language: ` ```swift compile `. GitHub colours by the first word.
        case infoString
        /// Only on a line `<!-- fence: compile -->` above. DocC takes the whole info string as the
        /// language's name, so that a block with attributes there would lose its colours.
        case commentOnly
    }

    private(set) var fences: [Fence] = []
    private(set) var problems: [Problem] = []
    private let file: String
    private let style: AttributeStyle
    private var open: (fence: Fence, prefix: String, marker: String)?
    private var pending: (attributes: [String], place: Place)?

    private init(file: String, style: AttributeStyle) {
        self.file = file
        self.style = style
    }

    /// The fences of `lines`, the first of which is line `firstLine` of `file`, and the problems found.
    static func extract(
        _ lines: [Substring], file: String, firstLine: Int = 1, style: AttributeStyle
    ) -> (fences: [Fence], problems: [Problem]) {
        var extractor = FenceExtractor(file: file, style: style)
        for (offset, line) in lines.enumerated() {
            extractor.read(line, place: Place(file: file, line: firstLine + offset))
        }
        extractor.finish()
        return (extractor.fences, extractor.problems)
    }

    private mutating func read(_ line: Substring, place: Place) {
        if let block = open {
            if block.marker.closes(line) {
                fences.append(block.fence)
                open = nil
            } else {
                open?.fence.code += line.dropping(prefix: block.prefix) + "\n"
            }
        } else if let attributes = Self.attributeLine(line) {
            complainAboutPending()
            pending = (attributes, place)
        } else if let opening = Opening(line) {
            begin(opening, place: place)
        } else {
            complainAboutPending()
        }
    }

    private mutating func begin(_ opening: Opening, place: Place) {
        var words = opening.info.split(separator: " ").map(String.init)
        let language = words.isEmpty ? "" : words.removeFirst()
        if language == "swift", style == .commentOnly, !words.isEmpty {
            problems.append(
                Problem(
                    place: place,
                    message: """
                        DocC would show this block without colours: write ```swift alone, and \
                        <!-- fence: \(words.joined(separator: " ")) --> on the line above
                        """))
        }
        let fence = Fence(
            place: place, language: language, attributes: (pending?.attributes ?? []) + words, code: "")
        pending = nil
        open = (fence, opening.prefix, opening.marker)
    }

    private mutating func finish() {
        complainAboutPending()
        if let open {
            problems.append(Problem(place: open.fence.place, message: "this fence is never closed"))
        }
    }

    private mutating func complainAboutPending() {
        guard let place = pending?.place else { return }
        problems.append(Problem(place: place, message: "no fence follows on the next line"))
        pending = nil
    }

    /// The attributes in `<!-- fence: compile as=Cart -->`.
    private static func attributeLine(_ line: Substring) -> [String]? {
        guard let match = line.wholeMatch(of: #/[ \t>]*<!--\s*fence:(.*?)-->\s*/#) else { return nil }
        return match.1.split(separator: " ").map(String.init)
    }
}

/// The parts of a line that opens a fence.
private struct Opening {
    var prefix: String
    var marker: String
    var info: String

    init?(_ line: Substring) {
        // The info string of a backtick fence holds no backtick: ```x``` on one line is inline code.
        guard
            let match = line.wholeMatch(of: #/([ \t>]*)(`{3,})([^`]*)/#)
                ?? line.wholeMatch(of: #/([ \t>]*)(~{3,})(.*)/#)
        else { return nil }
        prefix = String(match.1)
        marker = String(match.2)
        info = String(match.3)
    }
}

extension String {
    /// Whether `line` closes the fence that this marker opened.
    fileprivate func closes(_ line: Substring) -> Bool {
        let text = line.drop { " \t>".contains($0) }
        let end = text.prefix { $0 == first }
        return end.count >= count && text.dropFirst(end.count).allSatisfy(\.isWhitespace)
    }
}

extension Substring {
    /// The line without the characters it shares with the prefix of its fence.
    fileprivate func dropping(prefix: String) -> Substring {
        var rest = self
        for character in prefix where rest.first == character {
            rest.removeFirst()
        }
        return rest
    }
}
