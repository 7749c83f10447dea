import PromisedSystem
import TestSupport

/// A random script: what is sent when, and how each transition ends.
struct Script: Sendable {
    enum End: Sendable { case fulfills, rejects, cancels, hangs }

    struct Act: Sendable {
        let name: String
        let policy: EventPolicy
        /// Interim values at the very start.
        let leads: [String]
        /// Interim values on the way: when after the start, and the value.
        let reports: [(after: Int, value: String)]
        /// When after the start; nil for an outcome that exists when the reducer returns.
        let delay: Int?
        let end: End
        let limit: Int?
    }

    /// Instants in microseconds, rising; events of one instant are sent in this order.
    let sends: [(at: Int, acts: [Act])]

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        func time(_ longest: Int) -> Int { Int.random(in: 1...longest, using: &random) }
        var at = 0
        var number = 0
        sends = (0..<Int.random(in: 1...6, using: &random)).map { _ in
            at += time(4_000_000)
            let acts = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                number += 1
                let name = "\(number)"
                let delay = chance(70) ? time(3_000_000) : nil
                let policy: EventPolicy = chance(60) ? .queue : chance(50) ? .replace : .dropWhileBusy
                let leads = (0..<[0, 0, 1, 1, 2][Int.random(in: 0..<5, using: &random)]).map {
                    "\(name)lead\($0)"
                }
                let reports = delay == nil ? 0 : Int.random(in: 0...2, using: &random)
                let end: End = chance(60) ? .fulfills : chance(60) ? .rejects : chance(50) ? .cancels : .hangs
                return Act(
                    name: name, policy: policy, leads: leads,
                    reports: (0..<reports).map { (time(3_000_000), "\(name)report\($0)") },
                    delay: end == .hangs ? nil : delay, end: delay == nil && end == .hangs ? .rejects : end,
                    limit: end == .hangs || chance(20) ? time(3_000_000) : nil)
            }
            return (at, acts)
        }
    }
}

/// A model of what a loop does with a script, as a list of rules without the library.
struct ScriptModel {

    private(set) var shown: [String] = []
    private(set) var records: [String] = []
    private(set) var errors: [String] = []
    private(set) var state = ""

    private var now = 0
    private var running: Script.Act?
    private var isLoading = false
    private var replaced: (act: Script.Act, isLoading: Bool)?
    private var waiting: [Script.Act] = []
    private var front: [Script.Act] = []
    private var agenda: [(at: Int, number: Int, what: Thing)] = []
    private var count = 0

    private enum Thing {
        case arrive([Script.Act])
        case report(String, of: String)
        case end(of: String)
        case limit(of: String)
    }

    init(_ script: Script) {
        for send in script.sends { plan(send.at, .arrive(send.acts)) }
        while let next = agenda.min(by: { ($0.at, $0.number) < ($1.at, $1.number) }) {
            agenda.removeAll { $0.number == next.number }
            now = next.at
            happen(next.what)
        }
    }

    private mutating func plan(_ at: Int, _ what: Thing) {
        count += 1
        agenda.append((at, count, what))
    }

    private mutating func happen(_ what: Thing) {
        switch what {
        case .arrive(let acts):
            for act in acts { arrive(act) }
            goOn()
        case .report(let value, let name):
            guard running?.name == name else { return }
            show(value)
        case .end(let name):
            guard let act = running, act.name == name else { return }
            end(act)
            goOn()
        case .limit(let name):
            guard let act = running, act.name == name else { return }
            fail(act, "limit")
            goOn()
        }
    }

    private mutating func arrive(_ act: Script.Act) {
        switch act.policy {
        case .queue: waiting.append(act)
        case .dropWhileBusy:
            if running == nil, !waiting.contains(where: { $0.policy == .dropWhileBusy }) {
                waiting.append(act)
            } else {
                records.append("\(act.name) dropped")
            }
        case .replace:
            front.append(act)
            if let running { replace(running) }
        case .debounce, .throttle: preconditionFailure("Not in these scripts.")
        }
    }

    private mutating func replace(_ act: Script.Act) {
        replaced = (act, isLoading)
        running = nil
    }

    private mutating func goOn() {
        while true {
            if let act = running {
                guard !front.isEmpty else { return }
                replace(act)
            }
            if !front.isEmpty {
                start(front.removeFirst())
            } else if !waiting.isEmpty {
                start(waiting.removeFirst())
            } else {
                return
            }
        }
    }

    private mutating func start(_ act: Script.Act) {
        running = act
        if let old = replaced {
            if old.isLoading, act.leads.isEmpty { shown.append(state) }
            records.append("\(old.act.name) cancelled")
        }
        (replaced, isLoading) = (nil, false)
        for lead in act.leads { show(lead) }
        guard act.delay != nil || act.end == .hangs else { return end(act) }
        for report in act.reports { plan(now + report.after, .report(report.value, of: act.name)) }
        if let delay = act.delay { plan(now + delay, .end(of: act.name)) }
        if let limit = act.limit { plan(now + limit, .limit(of: act.name)) }
    }

    private mutating func show(_ value: String) {
        isLoading = true
        shown.append("~" + value)
    }

    private mutating func end(_ act: Script.Act) {
        switch act.end {
        case .fulfills:
            running = nil
            state += act.name
            shown.append(state)
            records.append("\(act.name) settled")
        case .rejects: fail(act, act.name)
        case .cancels: fail(act, nil)
        case .hangs: break
        }
    }

    private mutating func fail(_ act: Script.Act, _ error: String?) {
        running = nil
        if isLoading { shown.append(state) }
        errors.append(error ?? "cancellation")
        records.append("\(act.name) failed")
    }
}
