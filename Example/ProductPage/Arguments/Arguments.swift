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
    private var shell: Shell?

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
                if try takeOption(argument) == .version { return .version }
                if let shell { return .completions(shell) }
            } else if argument.hasPrefix("-") {
                let name = shown(argument)
                throw .usage("unknown option '\(name)'; for a file of that name write ./\(name)")
            } else {
                try takeSource(argument)
            }
        }
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

    private mutating func takeOption(_ argument: String) throws(PageError) -> OptionName {
        let parts = argument.dropFirst(2)
            .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        guard let option = OptionName(rawValue: name) else { throw unknown(name) }
        let attached = parts.count > 1 ? String(parts[1]) : nil
        if option.value == nil {
            guard attached == nil else { throw .usage("\(option.flag) takes no value; write it alone") }
            set(option)
        } else {
            if let attached {
                try set(option, to: attached)
            } else {
                try set(option, to: nextValue(of: option))
            }
        }
        return option
    }

    /// What begins with two dashes is the next option, not a value; `--name=--value` says otherwise.
    private mutating func nextValue(of option: OptionName) throws(PageError) -> String {
        guard let value = rest.first, !value.hasPrefix("--") else { throw missing(option) }
        rest.removeFirst()
        return value
    }

    private mutating func set(_ option: OptionName) {
        switch option {
        case .list: options.list = true
        case .json: options.json = true
        case .plain: options.plain = true
        case .quiet: options.quiet = true
        default: break
        }
    }

    private mutating func set(_ option: OptionName, to value: String) throws(PageError) {
        guard !value.isEmpty else { throw missing(option) }
        switch option {
        case .product: options.product = value
        case .latency:
            guard let number = Int(value), (0...600_000).contains(number) else { throw bad(option, value) }
            options.latency = .milliseconds(number)
        case .failRate:
            guard let number = Self.number(value), (0...1).contains(number) else { throw bad(option, value) }
            options.failRate = number
        case .seed:
            guard let number = UInt64(value) else { throw bad(option, value) }
            options.seed = number
        case .timeout:
            guard let number = Self.number(value), number > 0, number <= 3600 else {
                throw bad(option, value)
            }
            options.timeout = .milliseconds(max(1, Int((number * 1000).rounded())))
        case .events:
            options.events = value == "-" ? .standardInput : .script(try ScriptEvent.list(value))
            if options.events == .script([]) { throw missing(option) }
        case .cart: options.cart = value
        case .analytics: options.analytics = value
        case .color:
            guard let color = Options.Color(rawValue: value) else { throw bad(option, value) }
            options.color = color
        case .completions:
            guard let shell = Shell(rawValue: value) else { throw bad(option, value) }
            self.shell = shell
        case .list, .json, .plain, .quiet, .help, .version: break
        }
    }
}

extension Arguments {
    /// Plain digits with a point, not what else `Double` reads: hexadecimal, infinity, not-a-number.
    private static func number(_ text: String) -> Double? {
        DecimalText.parse(text) == nil ? nil : Double(text)
    }

    private func missing(_ option: OptionName) -> PageError {
        .usage("\(option.flag) needs a value: \(option.value ?? "")")
    }

    private func bad(_ option: OptionName, _ value: String) -> PageError {
        .usage("\(option.flag) cannot be '\(shown(value))': it takes \(option.value ?? "")")
    }

    private func unknown(_ name: String) -> PageError {
        let near = NearMiss.suggestion(for: name.lowercased(), among: OptionName.allCases.map(\.rawValue))
        let hint = near.map { "did you mean --\($0)?" } ?? "see product-page --help"
        return .usage("unknown option '--\(shown(name))'; \(hint)")
    }

    private func shown(_ argument: String) -> String { argument.shortened(to: 60) }
}
