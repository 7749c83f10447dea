internal import Promise

/// The work of a system that is in flight.
struct SystemWork: Sendable {
    private var open: Set<String> = []
    private var windows = OpenWindows()
    /// Whether all of it is known: not where facts are missing.
    private var isKnown = false
    /// The owners of `async` work.
    private var async: [String: String] = [:]

    /// The requests of effects that have waited since all was known.
    private var requests: Set<Int> = []

    init(isKnown: Bool = false) { self.isKnown = isKnown }

    var isEmpty: Bool { isKnown && open.isEmpty }

    /// Whether no throttle window is open before a line.
    func hasNoWindow(at fact: RecordedFact) -> Bool {
        windows.areClosed(before: fact["t"]?.int.map { .nanoseconds($0) })
    }

    /// Whether an effect starts of which it is not known that it waits.
    func begins(_ fact: RecordedFact) -> Bool {
        guard isKnown, fact.kind == .run, let request = fact["request"]?.int, request != fact["run"]?.int
        else { return false }
        return !requests.contains(request)
    }

    /// - Parameter isIdle: Whether nothing is in flight, at a line with full states.
    mutating func update(_ fact: RecordedFact, isGap: Bool, isIdle: Bool) {
        let wait = "wait \(fact["path"]?.text ?? "") \(fact["key"]?.text ?? "")"
        if isGap || fact.kind == .system { self = SystemWork(isKnown: fact.kind == .system) }
        func id(_ kind: String, _ key: String) -> String { "\(kind) \(fact[key]?.int ?? 0)" }
        windows.update(fact.kind, fact.fields.object ?? [])
        switch fact.kind {
        // Where all is known already, this would know less.
        case .key where isIdle && !isKnown: self = SystemWork(isKnown: true)
        case .wait:
            open.insert(wait)
            requests.insert(fact["request"]?.int ?? 0)
        case .send: open.insert(id("event", "id"))
        case .begin: open = open.subtracting([id("event", "id")]).union([id("turn", "turn")])
        case .turn: open.subtract([id("event", "id"), id("turn", "turn")])
        case .drop: open.remove(id("event", "id"))
        case .run: open = open.subtracting([wait]).union([id("run", "run")])
        case .ran: open.remove(id("run", "run"))
        case .cancel:
            open.remove(id("run", "run"))
            // The end of its async work is not noted.
            let own = async.filter { $0.value == "run \(fact["run"]?.int ?? 0)" }
            for work in own.keys { end(work) }
        case .call: open.insert(id("work", "id"))
        case .async:
            open.insert(id("work", "id"))
            async[id("work", "id")] = fact["by"]?.string ?? ""
        case .answer, .asyncEnd: if !fact.isInterim { end(id("work", "id")) }
        default: break
        }
    }

    private mutating func end(_ work: String) {
        open.remove(work)
        async[work] = nil
    }
}
