import Promise
import PromisedSystem

/// Records what happens in the loop of a system as text, as a recording would.
final class FactLog: SystemObserver {
    private let facts = Log<String>()
    private let scheduler: any SerialScheduler

    init(_ scheduler: any SerialScheduler) { self.scheduler = scheduler }

    /// Removes and returns the facts.
    func take() -> [String] { facts.take() }

    func configuration<State, Event>(
        eventPolicy: (@Sendable (Event) -> EventPolicy)? = nil,
        timeLimit: @escaping @Sendable (Event) -> Duration? = { _ in nil }
    ) -> System<State, Event>.Configuration {
        var configuration = System<State, Event>.Configuration(eventPolicy: eventPolicy, timeLimit: timeLimit)
        configuration.makeProbe = { _ in self.makeProbe() }
        return configuration
    }

    func makeProbe<State: Sendable, Event: Sendable>() -> LoopProbe<State, Event> {
        LoopProbe(self) { [facts] in if let text = Self.text($0) { facts.add(text) } }
    }

    private static func text<State, Event>(_ fact: LoopFact<State, Event>) -> String? {
        switch fact {
        case .attached(let state, let turn): "attached \(state.value) \(turn)"
        case .sent(let entry, .outside, _): "sent \(entry.sent?.number ?? 0) \(entry.event)"
        case .sent(let entry, let sender, _): "sent \(entry.sent?.number ?? 0) \(entry.event) by \(sender)"
        case .delayEnded(let keys, let end, _): "delayed \(keys) by \(end)"
        case .dropped(let entry, let reason): "dropped \(entry.sent?.number ?? 0) \(reason)"
        case .entersMiddleware(let events, let state, let isAfterTurn, _):
            "middleware\(isAfterTurn ? " after" : "") \(events) \(state.value)"
        case .begins(let turn, let state):
            "begins \(turn.number) of \(turn.sent?.number ?? 0) \(turn.event) \(state.value)"
        case .hasReduced, .leavesMiddleware, .read, .queue, .held: nil
        case .pends(let turn): "pends \(turn.number)"
        case .timedOut(let turn): "timed out \(turn.number)"
        case .shows(let state, let kind): "\(kind) \(state.value)"
        case .ends(let turn, let outcome, let isUnhandled):
            "ends \(turn.number) \(outcome)\(isUnhandled ? ", unhandled" : "")"
        case .written(let turn, let event, _, _, let before, let after):
            "written \(turn) \(event) \(before.map { "\($0.value)" } ?? "?") \(after.value)"
        case .failed(let error, _): "failed \(error)"
        case .failedApart(let error, _): "failed apart \(error)"
        }
    }

    // MARK: Runs

    private final class Run: RunScheduler {
        private let base: any SerialScheduler

        init(_ base: any SerialScheduler) { self.base = base }

        var now: Duration { base.now }
        var isCurrent: Bool { base.isCurrent }

        func schedule(_ work: @escaping @Sendable () -> Void) { base.schedule(work) }
        func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
            base.schedule(after: delay, work)
        }
        func acts() {}
    }

    var transitionScheduler: any SerialScheduler { scheduler }
    var now: Duration { scheduler.now }
    var occasion: Int { 0 }

    func evaluates(_ feedback: Int, forEvent: Bool) {}
    func hasEvaluated() {}
    func occasion(of payload: any Sendable) -> Int? { nil }
    func occasion(ofKey key: EffectKey) -> Int? { nil }
    func starts(
        _ number: Int, of request: Int, _ place: [EffectKey], from origin: Origin, requestedAt occasion: Int,
        window: Duration?
    ) -> any RunScheduler {
        facts.add("run \(number) of \(request) \(place)")
        return Run(scheduler)
    }
    func hasStarted() {}
    func waits(_ request: Int, _ place: [EffectKey], from origin: Origin, window: Duration?) {
        facts.add("waits \(request) \(place)")
    }
    func timerFired(of request: Int) { facts.add("timer \(request)") }
    func ended(_ number: Int, _ error: (any Error)?) {
        facts.add("ended \(number)\(error.map { " \($0)" } ?? "")")
    }
    func cancelled(_ number: Int) { facts.add("cancelled \(number)") }
    func updates(workOf runs: [Int]) {}
    func broadcasts(from number: Int, to runs: [Int]) {}
}
