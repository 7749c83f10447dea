import Promise
import PromisedExploring
import PromisedSystem
import PromisedTesting
import TestSupport

/// A small machine whose part is replaced, with random feedbacks that share keys, and with random policies: for work,
/// and for events that are delayed, or arrive two at a time.
struct PartMachine: Sendable {
    struct Part: Hashable, Sendable, Identifiable {
        let id: Int
        var got: [String] = []
        var inner: Inner?
    }

    struct Inner: Hashable, Sendable, Identifiable {
        let id: Int
        var count = 0
    }

    struct State: Hashable, Sendable {
        var part: Part? = Part(id: 1, inner: Inner(id: 1))
        var log = ""
    }

    enum Event: Hashable, Sendable {
        case put(Int), inner(Int), remove, ask(Int), got(String), note(Int)
    }

    private struct Request: Sendable {
        let asksAt: Int
        let key: EffectKey
        let policy: EffectPolicy
        /// How long the work takes; nil for a call of the world.
        let delay: Int?
        /// 0 for the part, 1 and 2 for the inner one, by two scopes or by one.
        let level: Int
        let isKept: Bool
    }

    private let requests: [Request]
    private let policies: [EventPolicy]
    private let events: [Event]
    private let sendsTwice: Bool
    private let hasHandle: Bool

    init(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &dice)] }
        func edges() -> ThrottleEdges { one([.leading, .trailing, .trailing, .both, .both]) }
        requests = (0..<3).map { _ in
            let policy: EffectPolicy = one([
                .concurrent, .queue, .replace, .drop, .debounce(.seconds(1)),
                .debounceThenReplace(.seconds(2)),
                .throttle(.seconds(2), edges: edges()), .throttle(.seconds(1), edges: edges()),
            ])
            return Request(
                asksAt: one([0, 1]), key: one(["a", "a", "b"]), policy: policy, delay: one([nil, 0, 1, 2]),
                level: one([0, 0, 1, 2]), isKept: one([true, false, false]))
        }
        policies = (0..<2).map { number in
            let keepsOrder = one([true, true, false])
            return one([
                .queue, .replace, .dropWhileBusy, .dropWhileBusy,
                .debounce(.seconds(1), key: one(["x", EffectKey(number)]), keepsOrder: keepsOrder),
                .throttle(
                    .seconds(2), edges: edges(), key: one(["x", EffectKey(number)]), keepsOrder: keepsOrder),
            ])
        }
        events = [.ask(0), .ask(1), one([.put(2), .inner(2)]), one([.remove, .note(0), .put(1)])]
        sendsTwice = one([true, false, false])
        hasHandle = one([true, false, false])
    }

    var explorer: Explorer<State, Event> { Explorer(events: events, build: build) }

    @Sendable
    private func build(_ world: World<State>) -> System<State, Event> {
        let system = System(
            initialState: State(), scheduler: world.scheduler, reducer: Self.reducer,
            feedbacks: requests.map { Self.feedback($0, world) },
            configuration: .init(eventPolicy: { event in
                switch event {
                case .ask(let number): policies[number]
                case .put, .inner, .remove, .got, .note: .queue
                }
            }))
        if hasHandle {
            world.action("tap") { system.scoped(by: Self.part).unwrapped()?.sendEvent(.ask(0)) }
        }
        if sendsTwice {
            world.action("twice") {
                system.sendEvent(.ask(0))
                system.sendEvent(.ask(0))
            }
        }
        return system
    }

    private static let reducer = Reducer<State, Event> {
        (state: inout State, event: Event) -> Promise<State>? in
        switch event {
        case .put(let id): state.part = Part(id: id, inner: Inner(id: 1))
        case .inner(let id): state.part?.inner = Inner(id: id)
        case .remove: state.part = nil
        case .got(let text):
            let got = (state.part?.got ?? []) + [text]
            state.part?.got = Array(got.suffix(2))
            if let count = state.part?.inner?.count { state.part?.inner?.count = (count + 1) % 3 }
        case .ask(let number): state.log = "\(number)"
        case .note: state.log = ""
        }
        // Events that are sent while a part is replaced wait.
        if case .put = event { return Promise.value(state).delay(.seconds(1)) }
        return nil
    }

    private static let part = Scope<State, Event, Part?, Event>(state: \.part, event: .identity())
    private static let inner = Scope<Part, Event, Inner?, Event>(state: \.inner, event: .identity())

    private static func feedback(_ request: Request, _ world: World<State>) -> Feedback<State, Event> {
        switch request.level {
        case 0: work(request, world, id: \Part.id).lifted(by: part)
        case 1: work(request, world, id: \Inner.id).lifted(by: inner).lifted(by: part)
        default: work(request, world, id: \Inner.id).lifted(by: part.appending(inner))
        }
    }

    private static func work<Local: Sendable>(
        _ request: Request, _ world: World<State>, id: any KeyPath<Local, Int> & Sendable
    ) -> Feedback<Local, Event> {
        let name = "\(request.asksAt)\(request.level)"
        @Sendable func effect(_ id: Int) -> Promise<Event> {
            let answer = Event.got("\(name)\(id)")
            guard let delay = request.delay else { return world.call(name, .value(answer)) }
            return Promise.value(answer).delay(.seconds(delay))
        }
        if request.isKept {
            return .whilePresent(state: { $0[keyPath: id] }) { effect($0) }
        }
        return .onEvent(
            withState: { event, local in event == .ask(request.asksAt) ? local[keyPath: id] : nil },
            key: { _ in request.key }, policy: request.policy
        ) { effect($0) }
    }
}
