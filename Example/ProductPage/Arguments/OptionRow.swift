import Foundation

/// An option of the command line: a row of the one table that the parser, the help and the completions are made from.
struct OptionRow: Sendable {
    /// What can be completed after it.
    enum Values: Sendable, Equatable {
        case none, anything, file
        case choice([String])
        /// Several of them, with commas.
        case list([String])
    }

    /// Takes the value into the options; false for one that makes no sense.
    typealias Setter = @Sendable (_ options: inout Options, _ value: String) throws(PageError) -> Bool

    let name: String
    /// The place of its value in the help; nil if it stands alone.
    var placeholder: String?
    /// What it does, for the help and the completions.
    let summary: String
    /// What to write after it, for messages.
    var expected = ""
    var values = Values.none
    let set: Setter

    var flag: String { "--" + name }
    /// Whether it is for trying the bundled catalogue, and one line of the help is enough for all of them.
    var isForTrying: Bool { ["latency", "fail-rate", "seed"].contains(name) }

    /// One with a value.
    private init(
        _ name: String, _ placeholder: String, _ summary: String, expects expected: String,
        _ values: Values = .anything, set: @escaping Setter
    ) {
        (self.name, self.placeholder, self.summary) = (name, placeholder, summary)
        (self.expected, self.values, self.set) = (expected, values, set)
    }

    /// One that takes any text.
    private init(
        _ name: String, _ placeholder: String, _ summary: String, expects expected: String,
        _ values: Values = .anything, for option: any WritableKeyPath<Options, String?> & Sendable
    ) {
        self.init(name, placeholder, summary, expects: expected, values) { options, value in
            options[keyPath: option] = value
            return true
        }
    }

    /// One that stands alone.
    private init(
        _ name: String, _ summary: String, set: @escaping @Sendable (inout Options) -> Void = { _ in }
    ) {
        (self.name, self.summary) = (name, summary)
        self.set = { options, _ in
            set(&options)
            return true
        }
    }

    static func named(_ name: String) -> OptionRow? { all.first { $0.name == name } }
}

extension OptionRow {
    static let all: [OptionRow] = [
        .init(
            "product", "ID", "the product to show, by its id, name, or a part of one",
            expects: "an id or a name, as in --product 'Tea pot'", for: \.product),
        .init(
            "events", "LIST", ScriptEvent.names,
            expects: "names, as in --events load,add,wait, or - for standard input",
            .list(ScriptEvent.allCases.map(\.rawValue))
        ) { options, value throws(PageError) in
            options.events = value == "-" ? .standardInput : .script(try ScriptEvent.list(value))
            return options.events != .script([])
        },
        .init(
            "below", "PRICE", "with watch, end when the price is below PRICE",
            expects: "a price above 0, as in --below 99.50"
        ) { options, value in
            options.below = DecimalText.parse(value)
            return options.below.map { $0 > 0 } ?? false
        },
        .init(
            "every", "TIME", "with watch, how often to look (default 10m)",
            expects: "a time from 1s to 168h, as in --every 30s, 10m or 1h"
        ) { options, value in
            options.every = Duration(inUnits: value)
            return options.every != nil
        },
        .init(
            "cart", "FILE", "where the cart is kept, else in your state directory",
            expects: "a file, as in --cart cart.json", .file, for: \.cart),
        .init(
            "analytics", "FILE", "write a JSON line for each tracked event",
            expects: "a file, as in --analytics events.jsonl", .file, for: \.analytics),
        .init(
            "timeout", "SECONDS", "give up loading after that long (default 30)",
            expects: "seconds above 0, at most 3600, as in --timeout 10"
        ) { options, value in
            let seconds = DecimalText.double(value, in: 0...3600) ?? 0
            options.timeout = .milliseconds(max(1, Int((seconds * 1000).rounded())))
            return seconds > 0
        },
        .init(
            "color", "WHEN", "auto, always or never; auto heeds NO_COLOR",
            expects: "auto, always or never, as in --color never",
            .choice(Options.Color.allCases.map(\.rawValue))
        ) { options, value in
            options.color = Options.Color(rawValue: value) ?? options.color
            return options.color.rawValue == value
        },
        .init(
            "latency", "MS", "delay of the bundled catalogue (default 800)",
            expects: "milliseconds from 0 to 600000, as in --latency 200"
        ) { options, value in
            options.latency = .milliseconds(Int(value) ?? -1)
            return (.zero ... .seconds(600)).contains(options.latency)
        },
        .init(
            "fail-rate", "RATE", "share of its answers that fail, 0 to 1 (default 0)",
            expects: "a number from 0 to 1, as in --fail-rate 0.5"
        ) { options, value in
            options.failRate = DecimalText.double(value, in: 0...1) ?? -1
            return options.failRate >= 0
        },
        .init(
            "seed", "N", "make these failures the same on each run",
            expects: "a whole number from 0 on, as in --seed 7"
        ) { options, value in
            options.seed = UInt64(value)
            return options.seed != nil
        },
        .init(
            "completions", "SHELL", "print completions for bash, zsh or fish",
            expects: "bash, zsh or fish, as in --completions bash", .choice(Shell.allCases.map(\.rawValue))
        ) { options, value in
            options.completions = Shell(rawValue: value)
            return options.completions != nil
        },
        .init("list", "list the products") { $0.list = true },
        .init("json", "one JSON object a line") { $0.json = true },
        .init("plain", "the states, then the page") { $0.plain = true },
        .init("quiet", "print only errors") { $0.quiet = true },
        .init("help", "print this"),
        .init("version", "print the version"),
    ]
}

extension Duration {
    /// `30s`, `10m`, `1h`; nil for anything else, and for what is out of bounds.
    fileprivate init?(inUnits text: String) {
        let seconds: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
        guard let unit = text.last.flatMap({ seconds[$0] }),
            let count = DecimalText.double(String(text.dropLast()), in: 0...604_800),
            (1...604_800).contains(count * unit)
        else { return nil }
        self = .milliseconds(Int(count * unit * 1000))
    }
}

extension DecimalText {
    /// Plain digits with a point, not what else `Double` reads: hexadecimal, infinity, not-a-number.
    fileprivate static func double(_ text: String, in range: ClosedRange<Double>) -> Double? {
        guard parse(text) != nil, let number = Double(text), range.contains(number) else { return nil }
        return number
    }
}
