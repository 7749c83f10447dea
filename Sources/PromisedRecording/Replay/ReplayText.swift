/// Steps in words.
struct ReplayText {
    private let members: [JSONMember]
    private let event: String

    init(_ members: [JSONMember], event: String?) { (self.members, self.event) = (members, event ?? "") }

    func text(_ step: ReplayStep, _ kind: RecordedFact.Kind) -> String {
        let error = self["error"].map { ": \($0)" } ?? ""
        switch step {
        case .sent: return ["event", event, "is sent", by, self["p"].map { "with policy \($0)" }].line
        case .begins: return "a turn begins"
        case .ends: return "the turn ends: \(self["o"] ?? "")\(error)"
        case .other: return other(kind) + error
        }
    }

    private func other(_ kind: RecordedFact.Kind) -> String {
        switch kind {
        case .shown: return self["r"] == nil ? "an interim state is shown" : "the interim state is reverted"
        case .drop: return "an event is dropped: \(self["why"] ?? "")"
        case .run: return ["effect", effect, "starts"].line
        case .wait: return ["effect", effect, "waits"].line
        case .ran: return "run \(self["run"] ?? "") ends"
        case .failed: return "an effect fails"
        case .cancel: return "run \(self["run"] ?? "") is cancelled"
        case .timer: return ["a timer of", self["after"], "ns is set", by].line
        case .fire:
            return ["a timer fires", by, self["delay"] ?? self["request"] ?? self["limit"] ?? self["number"]]
                .line
        case .async: return ["async work begins", by].line
        case .asyncEnd: return ["async work ends", by].line
        case .call: return ["\(self["name"] ?? "")(\(self["in"] ?? self["inx"] ?? "")) is called", by].line
        case .answer:
            return "call \(self["id"] ?? "") is \(self["cancelled"] == nil ? "answered" : "cancelled")"
        case .write: return "a model is written to"
        default: return "\(kind)"
        }
    }

    private var by: String? { self["by"].map { "by \($0)" } }
    private var effect: String? {
        (members["path"]?.array ?? []).map(\.plainText).joined(separator: " ")
            + (self["key"].map { "'\($0)'" } ?? "")
    }

    private subscript(key: String) -> String? {
        members[key].flatMap { $0 == .null ? nil : $0.plainText }
    }
}

extension JSONValue {
    /// A text without its quotes, of an error its description; otherwise the short text.
    fileprivate var plainText: String { string ?? self["text"]?.string ?? shortText }
}

extension [String?] {
    fileprivate var line: String { compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ") }
}
