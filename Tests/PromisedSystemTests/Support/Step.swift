import PromisedSystem
import PromisedTesting

/// An event that contains its own reducer, so that a test reads in one place.
struct Step: Sendable, CustomStringConvertible {
    let description: String
    let reduce: @Sendable (String) -> Promise<String>

    init(_ name: String, _ reduce: @escaping @Sendable (String) -> Promise<String>) {
        description = name
        self.reduce = reduce
    }

    /// Appends `text` at once.
    static func add(_ text: String) -> Step { Step(text) { .value($0 + text) } }

    /// Appends `text` after `delay`.
    static func add(_ text: String, after delay: Duration, showing: String...) -> Step {
        Step(text) { Promise.value($0 + text).delay(delay).showing(showing) }
    }

    /// Appends the value of `promise`.
    static func wait(for promise: Promise<String>, showing: String...) -> Step {
        Step("wait") { state in promise.map { state + $0 }.showing(showing) }
    }

    /// Fails at once with a `TestError` of the same name.
    static func fail(_ name: String, showing: String...) -> Step {
        Step(name) { _ in Promise(error: TestError(name)).showing(showing) }
    }

    /// Fails after `delay`.
    static func fail(_ name: String, after delay: Duration, showing: String...) -> Step {
        Step(name) { _ in Promise<String>(error: TestError(name)).delay(delay).showing(showing) }
    }

    /// Never settles; its resolver is retained by `keeper`.
    static func hang(
        _ name: String, keeper: Keeper = Keeper(), showing: String...,
        onCancel: @escaping @Sendable () -> Void = {}
    ) -> Step {
        Step(name) { _ in
            Promise { resolver in
                resolver.onCancel(onCancel)
                keeper.resolvers.add(resolver)
            }
            .showing(showing)
        }
    }
}

/// Retains resolvers, so that their promises are not abandoned.
final class Keeper: Sendable {
    let resolvers = Log<Resolver<String>>()
}

extension Promise {
    /// Several interim values at the very start, in this order.
    func showing(_ values: [Value]) -> Promise {
        values.reversed().reduce(self) { $0.interim($1) }
    }
}

extension Duration {
    static func s(_ seconds: Int) -> Duration { .seconds(seconds) }
}

typealias StepSystem = System<String, Step>

/// A system of steps on virtual time, and everything that it delivers.
final class Bench: Sendable {
    let scheduler = TestScheduler()
    /// The states that the first binding received.
    let bound = Log<String>()
    /// `system.shown`, loading states with a tilde before them.
    let shown = Log<String>()
    let settled = Log<String>()
    let errors = Log<String>()
    let records = Log<LoopRecord<String, Step>>()
    private let tokens = Box<[SubscriptionToken]>([])
    private let kept: Box<StepSystem?>

    var system: StepSystem {
        guard let system = kept.value else { fatalError("The system was released.") }
        return system
    }

    init(
        listensToErrors: Bool = true, listensToRecords: Bool = true,
        history: HistoryLimit = .none,
        eventPolicy: @escaping @Sendable (Step) -> EventPolicy = { _ in .queue },
        timeLimit: @escaping @Sendable (Step) -> Duration? = { _ in nil }
    ) {
        let system = StepSystem(
            initialState: "", scheduler: scheduler, uiBindings: [{ [bound] in bound.add($0) }],
            configuration: .init(eventPolicy: eventPolicy, timeLimit: timeLimit, history: history),
            reducer: { state, step in step.reduce(state) })
        kept = Box(system)
        tokens.value = [
            system.shown.subscribe(replayCurrent: false) { [shown] in shown.add(mark($0)) },
            system.settled.subscribe(replayCurrent: false) { [settled] in settled.add($0) },
        ]
        if listensToErrors { system.onError { [errors] error in errors.add("\(error)") } }
        if listensToRecords { system.onLoop { [records] in records.add($0) } }
        scheduler.advance()
        _ = bound.take()
    }

    func send(_ steps: Step..., policy: EventPolicy? = nil) {
        for step in steps { system.sendEvent(step, policy: policy) }
    }

    /// Sends a step from the scheduler.
    func sendInside(_ steps: Step..., policy: EventPolicy? = nil) {
        scheduler.schedule { [system] in for step in steps { system.sendEvent(step, policy: policy) } }
        scheduler.advance()
    }

    func advance(_ seconds: Int = 0) { scheduler.advance(by: .seconds(seconds)) }

    func release() { kept.value = nil }

    /// The records as `number event outcome`.
    var outcomes: [String] {
        records.entries.map { "\($0.number) \($0.event) \(describe($0.outcome))" }
    }
}

func mark(_ shown: Shown<String>) -> String { shown.isLoading ? "~\(shown.state)" : shown.state }

func describe<State, Event>(_ outcome: LoopRecord<State, Event>.Outcome) -> String {
    switch outcome {
    case .settled: "settled"
    case .missed: "missed"
    case .failed(let error): "failed(\(error))"
    case .cancelled: "cancelled"
    case .stopped: "stopped"
    case .dropped(.busy): "dropped"
    case .dropped(let reason): "dropped(\(reason))"
    }
}
