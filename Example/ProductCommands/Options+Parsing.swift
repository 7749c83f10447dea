import ProductReading
import ToolSupport

extension Options {
    /// Reads the command line.
    ///
    /// ```swift
    /// let options = try Options(arguments: ["page.html", "--timeout=5", "--json"])
    /// ```
    ///
    /// Options may stand anywhere, as `--name value` or `--name=value`; of one given twice the last counts;
    /// `--` ends them. Asking for help wins over everything else, mistakes included.
    ///
    /// - Parameter arguments: without the program's name.
    /// - Throws: `PageError.usage`, naming the argument and the way out.
    package init(arguments: [String]) throws {
        self.init()
        if arguments.prefix(while: { $0 != "--" }).contains(where: ["--help", "-h"].contains) {
            text = Help.text
        }
        var rest = arguments[...]
        if text == nil { recordings = try RecordingCommand(&rest) }
        while text == nil, let argument = rest.popFirst() {
            if argument == "--" {
                for argument in rest { try takeSource(argument) }
                rest = []
            } else if argument.hasPrefix("--") {
                try takeOption(argument, &rest)
            } else if argument.hasPrefix("-"), argument != "-" {
                let name = Self.shown(argument)
                throw PageError.usage("unknown option '\(name)'; for a file of that name write ./\(name)")
            } else if argument == "watch", source == nil, !isWatch {
                isWatch = true
            } else {
                try takeSource(argument)
            }
        }
        if text == nil { try check() }
    }

    private mutating func takeSource(_ argument: String) throws {
        if let source {
            throw PageError.usage(
                "unexpected argument '\(Self.shown(argument))': SOURCE is already '\(Self.shown(source.name))'; "
                    + "quote a name with spaces")
        }
        source = try SourceLocation(argument)
    }

    private mutating func takeOption(_ argument: String, _ rest: inout ArraySlice<String>) throws {
        let parts = argument.dropFirst(2)
            .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = CommandLineOption.all.first(where: { $0.name == parts[0] }) else {
            let near = closest(to: parts[0].lowercased(), among: CommandLineOption.all.map(\.name))
            let hint = near.map { "did you mean --\($0)?" } ?? "see product-page --help"
            throw PageError.usage("unknown option '--\(Self.shown(parts[0]))'; \(hint)")
        }
        var value = parts.count > 1 ? parts[1] : ""
        if option.placeholder == nil {
            if parts.count > 1 { throw PageError.usage("\(option.flag) takes no value; write it alone") }
        } else {
            // A word that begins with two dashes is the next option, not a value; `--name=--value` says otherwise.
            if parts.count == 1, rest.first?.hasPrefix("--") == false { value = rest.removeFirst() }
            if value.isEmpty { throw PageError.usage("\(option.flag) needs a value: \(option.expected)") }
        }
        guard try option.set(&self, value) != nil else {
            throw PageError.usage(
                "\(option.flag) cannot be '\(Self.shown(value))': it takes \(option.expected)")
        }
    }

    private static func shown(_ argument: String) -> String { argument.shortened(to: 60) }

    /// - Throws: `PageError.usage` for what cannot be done together.
    private func check() throws {
        func refuse(_ isWrong: Bool, _ message: String) throws {
            if isWrong { throw PageError.usage(message) }
        }
        try refuse(list && events != nil, "--list and --events exclude each other; choose one")
        try refuse(
            source == .standardInput && events == .standardInput,
            "SOURCE and --events cannot both be standard input; put one of them into a file")
        try refuse(
            !isWatch && (below != nil || every != nil),
            "--below and --every belong to watch; write product-page watch SOURCE --below 100")
        let others = [
            ("analytics", analytics != nil), ("cart", cart != nil), ("events", events != nil), ("list", list),
            ("record", record != nil),
        ]
        for (name, isGiven) in others {
            try refuse(isWatch && isGiven, "watch takes no --\(name); leave it out")
            try refuse(
                recordings != nil && isGiven && name != "cart",
                "replay and report take no --\(name); leave it out")
        }
        try refuse(
            recordings != nil && (isWatch || source != nil), RecordingCommand.order)
        try refuse(
            isWatch && source == .standardInput, "watch cannot read standard input twice; give it a file")
    }
}

/// The candidate that was probably meant: one that differs in three letters at most. A letter that is replaced or
/// swapped counts as two.
func closest(to word: String, among candidates: [String]) -> String? {
    // Longer than any name; and to compare costs the product of both lengths.
    guard word.count <= 32 else { return nil }
    return candidates.map { ($0, $0.difference(from: word).count) }.filter { $0.1 <= 3 && $0.1 < word.count }
        .min { $0.1 < $1.1 }?.0
}
