/// The options by their names on the command line.
enum OptionName: String, CaseIterable {
    case product, list, latency, failRate = "fail-rate", seed, events, json, cart, analytics, timeout
    case help, version

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
        case .list, .json, .help, .version: nil
        }
    }
}
