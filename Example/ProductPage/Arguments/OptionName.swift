/// The options by their names on the command line. The one table of them: the parser, the help and the
/// completions are made from it.
enum OptionName: String, CaseIterable {
    case product, events, cart, analytics, timeout, color, latency, failRate = "fail-rate", seed, completions
    case list, json, plain, quiet, help, version

    var flag: String { "--" + rawValue }

    /// What to write after it, for messages; `nil` where it stands alone.
    var value: String? {
        switch self {
        case .product: "an id or a name, as in --product 'Tea pot'"
        case .latency: "milliseconds from 0 to 600000, as in --latency 200"
        case .failRate: "a number from 0 to 1, as in --fail-rate 0.5"
        case .seed: "a whole number from 0 on, as in --seed 7"
        case .events: "names, as in --events load,add,wait, or - for standard input"
        case .cart, .analytics: "a file, as in \(flag) \(self == .cart ? "cart.json" : "events.jsonl")"
        case .timeout: "seconds above 0, at most 3600, as in --timeout 10"
        case .color: "auto, always or never, as in --color never"
        case .completions: "bash, zsh or fish, as in --completions bash"
        case .list, .json, .plain, .quiet, .help, .version: nil
        }
    }

    /// The place of its value in the help.
    var placeholder: String? {
        switch self {
        case .product: "ID"
        case .latency: "MS"
        case .failRate: "RATE"
        case .seed: "N"
        case .events: "LIST"
        case .cart, .analytics: "FILE"
        case .timeout: "SECONDS"
        case .color: "WHEN"
        case .completions: "SHELL"
        case .list, .json, .plain, .quiet, .help, .version: nil
        }
    }

    /// What it does, for the help and the completions.
    var summary: String {
        switch self {
        case .product: "the product to show, by its id, name, or a part of one"
        case .events: "\(ScriptEvent.names)"
        case .cart: "where the cart is kept, else in your state directory"
        case .analytics: "write a JSON line for each tracked event"
        case .timeout: "give up loading after that long (default 30)"
        case .color: "auto, always or never; auto heeds NO_COLOR"
        case .latency: "delay of the bundled catalogue (default 800)"
        case .failRate: "share of its answers that fail, 0 to 1 (default 0)"
        case .seed: "make these failures the same on each run"
        case .completions: "print completions for bash, zsh or fish"
        case .list: "list the products"
        case .json: "one JSON object a line"
        case .plain: "a line a state, no redraw"
        case .quiet: "no talk but errors"
        case .help: "print this"
        case .version: "print the version"
        }
    }

    /// What can be completed after it.
    var values: Values {
        switch self {
        case .events: .list(ScriptEvent.allCases.map(\.rawValue))
        case .color: .choice(Options.Color.allCases.map(\.rawValue))
        case .completions: .choice(Shell.allCases.map(\.rawValue))
        case .cart, .analytics: .file
        case _ where value == nil: .none
        default: .anything
        }
    }

    enum Values: Equatable {
        case none, anything, file
        case choice([String])
        /// Several of them, with commas.
        case list([String])
    }
}
