internal import Promise
internal import PromisedSystem

extension ReplayComparison {
    mutating func differ(_ expected: String, _ actual: String, _ changes: [String] = []) {
        guard let fact = line?.fact, result.difference == nil else { return }
        result.difference = .init(
            turn: fact["turn"]?.int.flatMap { turns[$0] } ?? fact.turn, line: fact.line,
            event: event.map { ValueText(event: $0).description }, expected: expected, actual: actual,
            changes: changes)
    }

    /// Nothing happens any more, but the recording continues.
    mutating func miss(after openWork: [Origin]) {
        let open = openWork.map {
            "the async work made at \($0) waits, perhaps for something that is no endpoint"
        }
        differ(nextText ?? "", (["nothing happens"] + open).joined(separator: "; "))
    }

    mutating func replaceDifference(by other: RunResult.Difference) {
        if result.difference != nil { result.difference = other }
    }

    /// The next step in words.
    var nextText: String? {
        guard let line, let step = line.steps.first else { return nil }
        return text(step, line.fact.kind, line.fact.fields.object ?? [])
    }

    func text(_ step: ReplayStep, _ kind: RecordedFact.Kind, _ members: [JSONMember]) -> String {
        // Of an event that the replay has sent, the member is left out.
        let event = members["e"] ?? (step == .sent && line?.isInjected == true ? line?.fact["e"] : nil)
        return ReplayText(members, event: event.map { text(ofEvent: $0) }).text(step, kind)
    }

    func text(ofEvent value: JSONValue) -> String {
        var repairs: [String] = []
        let event = try? value.decodeAny(eventType, repairs: &repairs)
        return event.map { ValueText(event: $0).description } ?? value.shortText
    }
}
