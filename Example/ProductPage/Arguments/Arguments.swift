/// Reads the command line.
///
/// ```swift
/// let command = try Arguments.parse(["page.html", "--timeout=5", "--json"])
/// ```
///
/// Options may stand anywhere, as `--name value` or `--name=value`; of one given twice the last counts;
/// `--` ends them. Asking for help wins over everything else, mistakes included.
struct Arguments {
    private var rest: ArraySlice<String>
    private var options = Options()
    private var givenSource: String?

    /// - Parameter arguments: without the program's name.
    /// - Throws: `PageError.usage`, naming the argument and the way out.
    static func parse(_ arguments: [String]) throws(PageError) -> Command {
        let isHelp = arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
        if isHelp { return .help }
        var parser = Arguments(rest: arguments[...])
        return try parser.command()
    }

    private init(rest: ArraySlice<String>) { self.rest = rest }

    private mutating func command() throws(PageError) -> Command {
        while let argument = rest.popFirst() {
            if argument == "--" {
                for argument in rest { try takeSource(argument) }
                break
            } else if argument.hasPrefix("--") {
                if try takeOption(argument) == "version" { return .version }
                if let shell = options.completions { return .completions(shell) }
            } else if argument.hasPrefix("-"), argument != "-" {
                let name = shown(argument)
                throw .usage("unknown option '\(name)'; for a file of that name write ./\(name)")
            } else if argument == "watch", givenSource == nil, !options.isWatch {
                options.isWatch = true
            } else {
                try takeSource(argument)
            }
        }
        try options.check()
        return .run(options)
    }

    private mutating func takeSource(_ argument: String) throws(PageError) {
        if let givenSource {
            throw .usage(
                "unexpected argument '\(shown(argument))': SOURCE is already '\(shown(givenSource))'; "
                    + "quote a name with spaces")
        }
        options.source = try SourceLocation(argument)
        givenSource = argument
    }

    /// - Returns: The option's name.
    private mutating func takeOption(_ argument: String) throws(PageError) -> String {
        let parts = argument.dropFirst(2)
            .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = OptionRow.named(parts[0]) else { throw unknown(parts[0]) }
        let attached = parts.count > 1 ? parts[1] : nil
        if option.placeholder == nil, attached != nil {
            throw .usage("\(option.flag) takes no value; write it alone")
        }
        var value = ""
        if option.placeholder != nil {
            if let attached { value = attached } else { value = try nextValue(of: option) }
            if value.isEmpty { throw missing(option) }
        }
        guard try option.set(&options, value) else {
            throw .usage("\(option.flag) cannot be '\(shown(value))': it takes \(option.expected)")
        }
        return option.name
    }

    /// What begins with two dashes is the next option, not a value; `--name=--value` says otherwise.
    private mutating func nextValue(of option: OptionRow) throws(PageError) -> String {
        guard let value = rest.first, !value.hasPrefix("--") else { throw missing(option) }
        rest.removeFirst()
        return value
    }

    private func missing(_ option: OptionRow) -> PageError {
        .usage("\(option.flag) needs a value: \(option.expected)")
    }

    private func unknown(_ name: String) -> PageError {
        let near = NearMiss.suggestion(for: name.lowercased(), among: OptionRow.all.map(\.name))
        let hint = near.map { "did you mean --\($0)?" } ?? "see product-page --help"
        return .usage("unknown option '--\(shown(name))'; \(hint)")
    }

    private func shown(_ argument: String) -> String { argument.shortened(to: 60) }
}

extension Options {
    /// - Throws: `PageError.usage` for what cannot be done together.
    fileprivate func check() throws(PageError) {
        if list, events != nil { throw .usage("--list and --events exclude each other; choose one") }
        if source == .standardInput, events == .standardInput {
            throw .usage("SOURCE and --events cannot both be standard input; put one of them into a file")
        }
        if isWatch {
            let others = [
                "list": list, "events": events != nil, "plain": plain, "cart": cart != nil,
                "analytics": analytics != nil,
            ]
            if let other = others.filter(\.value).keys.min() {
                throw .usage("watch takes no --\(other); leave it out")
            }
            if source == .standardInput {
                throw .usage("watch cannot read standard input twice; give it a file")
            }
        } else if below != nil || every != nil {
            throw .usage("--below and --every belong to watch; write product-page watch SOURCE --below 100")
        }
    }
}
