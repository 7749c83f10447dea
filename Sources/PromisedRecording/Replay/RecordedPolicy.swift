internal import PromisedSystem

extension EventPolicy {
    /// Nil if it is none that a recorder writes.
    init?(json: JSONValue) {
        let (key, keepsOrder) = (
            json["key"].map { EffectKey(json: $0) } ?? "", json["keepsOrder"] != .bool(false)
        )
        if let pause = json["debounce"]?.int {
            self = .debounce(.nanoseconds(pause), key: key, keepsOrder: keepsOrder)
        } else if let window = json["throttle"]?.int {
            let edges = ThrottleEdges(rawValue: json["edges"]?.string ?? "") ?? .leading
            self = .throttle(.nanoseconds(window), edges: edges, key: key, keepsOrder: keepsOrder)
        } else {
            switch json.string {
            case "replace": self = .replace
            case "dropWhileBusy": self = .dropWhileBusy
            default: return nil
            }
        }
    }
}

extension EventPolicy {
    /// The key by which events are delayed; nil if they are not.
    var key: EffectKey? {
        switch self {
        case .debounce(_, let key, _), .throttle(_, _, let key, _): key
        default: nil
        }
    }
}

extension EffectKey {
    init(json: JSONValue) {
        self = json.int.map { EffectKey($0) } ?? EffectKey(json.string ?? json["text"]?.string ?? "")
    }
}
