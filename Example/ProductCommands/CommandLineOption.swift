import Foundation
import ProductReading

/// An option: a row of the one table that the parser, the help and the completions are made from.
struct CommandLineOption: Sendable {
    /// The values that can be completed after it.
    enum Values: Sendable {
        case anything, file
        case choice([String])
        /// Several of them, with commas.
        case list([String])
    }

    let name: String
    /// Stands for its value in the help; nil if it takes none.
    let placeholder: String?
    /// Its effect, for the help and the completions.
    let summary: String
    /// The expected value, for messages.
    let expected: String
    let values: Values
    /// Takes the value into the options; nil for one that makes no sense.
    let set: @Sendable (_ options: inout Options, _ value: String) throws -> Void?

    var flag: String { "--" + name }
    /// Whether it is for trying the bundled catalogue, and one line of the help is enough for all of them.
    var isForTrying: Bool { ["latency", "fail-rate", "seed"].contains(name) }

    private init(
        _ name: String, _ placeholder: String?, _ summary: String, _ expected: String = "",
        _ values: Values = .anything, set: @escaping @Sendable (inout Options, String) throws -> Void?
    ) {
        (self.name, self.placeholder, self.summary) = (name, placeholder, summary)
        (self.expected, self.values, self.set) = (expected, values, set)
    }

    static let all: [CommandLineOption] = [
        .init(
            "product", "ID", "the product to show, by its id, name, or a part of one",
            "an id or a name, as in --product 'Tea pot'"
        ) { $0.product = $1 },
        .init(
            "events", "LIST", Script.Word.names.joined(separator: " "),
            "names, as in --events load,add,wait, or - for standard input", .list(Script.Word.names)
        ) { options, value in
            options.events = value == "-" ? .standardInput : .script(try Script(value))
            return options.events == .script(Script()) ? nil : ()
        },
        .init(
            "below", "PRICE", "with watch, end when the price is below PRICE",
            "a price above 0, as in --below 99.50"
        ) { options, value in
            DecimalText.parse(value).flatMap { $0 > 0 ? $0 : nil }.map { options.below = $0 }
        },
        .init(
            "every", "TIME", "with watch, how often to look (default 10m)",
            "a time from 1s to 168h, as in --every 30s, 10m or 1h"
        ) { options, value in Duration(withUnit: value).map { options.every = $0 } },
        .init(
            "cart", "FILE", "where the cart is kept, else in your state directory",
            "a file, as in --cart cart.json", .file
        ) { $0.cart = $1 },
        .init(
            "analytics", "FILE", "write a JSON line for each tracked event",
            "a file, as in --analytics events.jsonl", .file
        ) { $0.analytics = $1 },
        .init(
            "record", "FILE", "keep the session; replay runs it again, report shows it",
            "a file that does not exist, as in --record session.jsonl", .file
        ) { $0.record = $1 },
        .init(
            "timeout", "SECONDS", "give up loading after that long (default 30)",
            "seconds above 0, at most 3600, as in --timeout 10"
        ) { options, value in
            Double(plain: value, in: 0.0.nextUp...3600).map {
                options.timeout = .milliseconds(max(1, Int(($0 * 1000).rounded())))
            }
        },
        .init(
            "color", "WHEN", "auto, always or never; auto heeds NO_COLOR",
            "auto, always or never, as in --color never", .choice(Options.Color.allCases.map(\.rawValue))
        ) { options, value in Options.Color(rawValue: value).map { options.color = $0 } },
        .init(
            "latency", "MS", "delay of the bundled catalogue (default 800)",
            "milliseconds from 0 to 600000, as in --latency 200"
        ) { options, value in
            Int(value).flatMap { 0...600_000 ~= $0 ? $0 : nil }.map { options.latency = .milliseconds($0) }
        },
        .init(
            "fail-rate", "RATE", "share of its answers that fail, 0 to 1 (default 0)",
            "a number from 0 to 1, as in --fail-rate 0.5"
        ) { options, value in Double(plain: value, in: 0...1).map { options.failRate = $0 } },
        .init(
            "seed", "N", "make these failures the same on each run",
            "a whole number from 0 on, as in --seed 7"
        ) { options, value in UInt64(value).map { options.seed = $0 } },
        .init(
            "completions", "SHELL", "print completions for bash", "bash, as in --completions bash",
            .choice(["bash"])
        ) { options, value in value == "bash" ? (options.text = Completions.bash) : nil },
        .init("list", nil, "list the products") { options, _ in options.list = true },
        .init("json", nil, "one JSON object a line") { options, _ in options.json = true },
        .init("help", nil, "print this") { options, _ in options.text = Help.text },
        .init("version", nil, "print the version") { options, _ in options.text = Help.version },
    ]
}

extension Duration {
    /// `30s`, `10m`, `1h`; nil for anything else, and out of bounds.
    fileprivate init?(withUnit text: String) {
        let seconds: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
        guard let unit = text.last.flatMap({ seconds[$0] }),
            let count = Double(plain: text.dropLast(), in: 1 / unit...604_800 / unit)
        else { return nil }
        self = .milliseconds(Int(count * unit * 1000))
    }
}

extension Double {
    /// Plain digits with a point, not what else `Double` reads: exponents, hexadecimal, infinity, not-a-number.
    fileprivate init?(plain text: some StringProtocol, in range: ClosedRange<Double>) {
        guard text.allSatisfy({ "0123456789.".contains($0) }), DecimalText.parse(String(text)) != nil,
            let number = Double(text), range.contains(number)
        else { return nil }
        self = number
    }
}
