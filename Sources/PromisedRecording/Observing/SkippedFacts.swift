internal import Promise
internal import PromisedSystem

/// Facts that were not kept: because the recorder was paused, or because there were too many.
struct SkippedFacts: Sendable {
    private(set) var facts = 0
    private(set) var turns = 0
    /// The last state that was shown; nil if none was.
    private(set) var state: (any StateBox)?
    private(set) var isLoss = false
    /// The work in flight since (true), and the ended work of before. An event that is a fact with its turn has never
    /// waited.
    private(set) var work: [OpenWork: Bool] = [:]
    /// When the throttle windows that were opened since are closed.
    private(set) var windowEnd: Duration?
    /// The owners of the `async` work that has begun since.
    private var owners: [Int: String] = [:]

    /// - Returns: The state that it does not hold any longer.
    mutating func add(_ fact: SystemFact, isLoss: Bool) -> (any StateBox)? {
        facts += 1
        self.isLoss = self.isLoss || isLoss
        noteWindow(fact)
        switch fact {
        case .sent(let sent): note(.send, ["id": Int(sent.number)])
        case .begins(let sent, let turn):
            turns += 1
            note(.begin, ["turn": turn.number])
            if sent == nil { note(.drop, ["id": Int(turn.sent)]) }
        case .turn(let sent, _, let end):
            turns += 1
            if sent == nil { note(.drop, ["id": Int(end.sent)]) }
            return replaceState(end.state)
        case .ends(let end):
            let isStopped = end.outcome == "stopped"
            if isStopped { turns += 1 }
            note(.turn, isStopped ? ["id": Int(end.sent)] : ["turn": end.turn])
            return replaceState(end.state)
        case .other(let kind, let fields, _):
            if fields.contains(where: { $0.key == "interim" }) { break }
            var numbers: [String: Int] = [:]
            for case (let name, .number(let number)) in fields { numbers[name] = number }
            note(kind, numbers)
            noteOwner(kind, fields, numbers)
        case .attached(let new, _, _), .shows(let new, _, _): return replaceState(new)
        case .written(_, _, _, let new, _):
            turns += 1
            return replaceState(new)
        case .skipped: break
        }
        return nil
    }

    private mutating func note(_ kind: RecordedFact.Kind, _ numbers: [String: Int]) {
        OpenWork.forEachChange(kind, { numbers[$0] }) { change, begins in
            work[change] = begins ? true : work[change] == true ? nil : false
        }
    }

    private mutating func noteWindow(_ fact: SystemFact) {
        var (start, window): (Duration, Duration?) = (.zero, nil)
        switch fact {
        case .sent(let sent), .begins(let sent?, _), .turn(let sent?, _, _):
            (start, window) = (sent.at, sent.policy.longestWindow)
        case .other(_, let fields, let time):
            for case (_, .duration(let opened)) in fields { (start, window) = (time, opened) }
        default: return
        }
        if let window { windowEnd = max(start.later(by: window), windowEnd ?? start) }
    }

    /// The end of the `async` work of a cancelled run is no fact.
    private mutating func noteOwner(
        _ kind: RecordedFact.Kind, _ fields: FactFields, _ numbers: [String: Int]
    ) {
        if kind == .async, let id = numbers["id"],
            case .text(let owner)? = fields.first(where: { $0.key == "by" })?.value
        {
            owners[id] = owner
        }
        guard kind == .cancel, let run = numbers["run"] else { return }
        for (id, owner) in owners where owner == "run \(run)" {
            owners[id] = nil
            note(.asyncEnd, ["id": id])
        }
    }

    private mutating func replaceState(_ new: (any StateBox)?) -> (any StateBox)? {
        guard let new else { return nil }
        defer { state = new }
        return state
    }
}
