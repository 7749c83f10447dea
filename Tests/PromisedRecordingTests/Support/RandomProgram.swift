import Promise
import PromisedSystem
import PromisedTesting
import TestSupport

/// A program in which everything happens that a recording can have: turns of all kinds, effects, calls and timers.
struct RandomProgram: Sendable {
    struct SoldOut: Error, Codable {}

    enum Step: Codable, Sendable {
        case add(Int), load(Int), wait(Int), row(Int), fail, failLater
        case replacing(Int), unlessBusy(Int), debounced(Int), throttled(Int)
        case stopped, alias(Int), find(String), found(Int), buy(Int), count, tick(Int), none

        static func random(using generator: inout some RandomNumberGenerator) -> Step {
            let number = Int.random(in: 1...9, using: &generator)
            let all: [Step] = [
                .add(number), .load(number), .wait(number), .row(number), .fail, .failLater,
                .replacing(number),
                .unlessBusy(number), .debounced(number), .throttled(number), .stopped, .alias(number),
                .find(["tea", "mug", "lamp", "é\u{0}"][number % 4]), .buy(number), .count, .none,
            ]
            return all[Int.random(in: 0..<all.count, using: &generator)]
        }

        var policy: EventPolicy {
            switch self {
            case .replacing: .replace
            case .unlessBusy: .dropWhileBusy
            case .debounced: .debounce(.milliseconds(5), key: "debounced")
            case .throttled(let number):
                .throttle(.milliseconds(5), edges: .both, key: EffectKey(number % 2), keepsOrder: false)
            default: .queue
            }
        }
    }

    /// Without them, an answer arrives at once; one of a recorded endpoint only with the next work of its scheduler.
    var hasEndpoints = true

    private static func find(_ name: String) -> Promise<Int> {
        if name == "lamp" { return Promise(error: SoldOut()) }
        return Promise.value(name.count).delay(.milliseconds(2)).interim(0)
    }
    private static func buy(_ count: Int, _ isFast: Bool) async throws -> Int {
        if count == 3 { throw SoldOut() }
        return isFast ? count : count + 1
    }

    private static let findEndpoint = Endpoint("find", failing: SoldOut.self) { (name: String) in find(name) }
    static let buyEndpoint = Endpoint("buy") { (count: Int, isFast: Bool) in
        try await buy(count, isFast)
    }
    static let stockEndpoint = Endpoint("stock") { Promise.value(7) }

    private func find(_ name: String) -> Promise<Int> {
        hasEndpoints ? Self.findEndpoint(name) : Self.find(name)
    }
    private func buy(_ count: Int, _ isFast: Bool) -> Promise<Int> {
        hasEndpoints ? Self.buyEndpoint(count, isFast) : Promise { try await Self.buy(count, isFast) }
    }
    private func stock() -> Promise<Int> { hasEndpoints ? Self.stockEndpoint() : .value(7) }

    func system(
        on scheduler: some SerialScheduler, from state: Counter = Counter(),
        _ configuration: System<Counter, Step>.Configuration
    ) -> System<Counter, Step> {
        System<Counter, Step>(
            initialState: state, scheduler: scheduler, reducer: Reducer(reduce), feedbacks: feedbacks,
            middleware: middleware, configuration: configuration)
    }

    /// - Parameter limitsCalls: Whether a transition may be over before the endpoints have answered that it has called.
    static func configuration(limitsCalls: Bool = false) -> System<Counter, Step>.Configuration {
        .init(
            eventPolicy: \.policy,
            timeLimit: {
                switch $0 {
                case .wait(8...): .milliseconds(4)
                case .buy where limitsCalls: .milliseconds(4)
                case .load(5...) where limitsCalls: .milliseconds(3)
                default: nil
                }
            })
    }

    /// Sends random events at random times.
    ///
    /// - Parameter isLast: Whether it goes on until nothing happens any more.
    static func run(
        _ system: System<Counter, Step>, on scheduler: TestScheduler, seed: UInt64, steps: Int,
        isLast: Bool = true
    ) {
        var generator = SeededGenerator(seed: seed)
        let token = system.onError { _ in }
        scheduler.advance()
        for _ in 0..<steps {
            let count = Int.random(in: 1...3, using: &generator)
            let events = (0..<count).map { _ in Step.random(using: &generator) }
            scheduler.schedule { for event in events { system.sendEvent(event) } }
            scheduler.advance(by: .milliseconds(Int.random(in: 0...4, using: &generator)))
        }
        if isLast { scheduler.advance(by: .seconds(1)) }
        withExtendedLifetime(token) {}
    }

    private var middleware: Middleware<Counter, Step> {
        Middleware { event, context in
            switch event {
            case .stopped: return .stop
            case .alias(let number):
                if number == 4 { context.sendEvent(.tick(number)) }
                return .replace(.add(-number))
            default: return .pass
            }
        }
    }

    private var feedbacks: [Feedback<Counter, Step>] {
        [
            .onEvent(
                { event -> String? in if case .find(let name) = event { name } else { nil } },
                key: { _ in "find" }, policy: .replace
            ) {
                name in
                Effect.promise(find(name).map { .found($0) }.recover { _ in .value(.found(-1)) })
            },
            .onEvent(
                { event -> Int? in if case .buy(let count) = event { count } else { nil } },
                key: { EffectKey($0) }, policy: .queue
            ) {
                count in
                Effect.task { .found(try await buy(count, true).value) }
            },
            .onEvent(
                { event -> Bool? in if case .count = event { true } else { nil } },
                policy: .debounce(.milliseconds(3))
            ) { _ in
                Effect { effect in
                    effect.send(.tick(1))
                    let timer = effect.scheduler.schedule(after: .milliseconds(2)) {
                        effect.send(.tick(2))
                        effect.finish()
                    }
                    effect.onCancel { timer.cancel() }
                }
            },
            .whilePresent(state: { state -> Int? in state.count % 7 == 0 ? state.count : nil }) { count in
                Effect.promise(Promise.value(.tick(count)).delay(.milliseconds(1)))
            },
        ]
    }

    @Sendable private func reduce(_ state: Counter, _ event: Step) -> Promise<Counter> {
        var next = state
        switch event {
        case .add(let number), .replacing(let number), .unlessBusy(let number), .debounced(let number),
            .throttled(let number), .tick(let number):
            next.count += number
        case .alias(let number), .row(let number): next.next(state.count + number)
        case .found(let number): next.rows.append(.init(id: number, text: "found \(number)"))
        case .load(let number):
            let last = next
            next.next(number)
            var loading = next
            loading.count = -1
            return Promise.value(last).delay(.milliseconds(number)).interim(next).interim(loading)
        case .wait(let number): return Promise.value(next).delay(.milliseconds(number))
        case .fail: return Promise(error: SoldOut())
        case .failLater: return Promise.value(next).delay(.milliseconds(1)).map { _ in throw SoldOut() }
        case .buy: return Promise.zip(buy(1, false), stock()).map { [next] in next.adding($0 + $1) }
        case .find, .count, .none, .stopped: break
        }
        return .value(next)
    }
}

extension Counter {
    fileprivate func adding(_ number: Int) -> Counter {
        var next = self
        next.count += number
        return next
    }
}

extension System {
    /// The states at the beginning of each turn, which are those that a recording has at the end of the turn before.
    func observeTurns() -> (states: @Sendable () -> [State], tokens: [SubscriptionToken]) {
        let states = Lock<[State]>([])
        let note: @Sendable () -> Void = { [weak self] in
            if let self { states.withLock { $0.append(self.shown.value.state) } }
        }
        let tokens = [
            onTurn { _, _ in note() },
            onLoop { if case .stopped = $0.outcome { note() } },
        ]
        return ({ states.withLock { $0 } }, tokens)
    }
}
