import Promise
import PromisedExploring
import PromisedSystem
import PromisedTesting
import TestSupport

/// A small machine with a random choice of everything that a system offers.
struct FeatureMachine: Sendable {
    struct State: Hashable, Sendable {
        struct Row: Hashable, Sendable, Identifiable {
            let id: Int
            var number = 0
        }

        var number = 0
        var part: Int?
        var rows: [Row] = []
    }

    enum Event: Hashable, Sendable {
        case send(Int), got(Int), part(Int), row(Int, Int)
    }

    struct Failure: Error {}

    /// Work, of which each piece ends with `got`.
    enum Job: CaseIterable, Sendable {
        case now, call, fails, delay, race, retry, timeout, shared, reads, writes, clock, timers, merged,
            `async`
    }

    enum Request: CaseIterable, Sendable {
        case onEvent, keyed, latest, whilePresent, set, updates, skipping, extracting, condition, cancel,
            broadcast
        case states, imperative
    }

    enum Transition: CaseIterable, Sendable {
        case next, next2, part, rows, call, interim, fails, delay, tail, reads
    }

    enum Guard: CaseIterable, Sendable {
        case none, none2, remembers, replaces, sendsBefore, sendsAfter, calls, reads
    }

    /// What happens beside the feedbacks when something is shown or over.
    enum Observer: CaseIterable, Sendable {
        case none, none2, none3, sends, schedules, records, errors, acts
    }

    let requests: [(request: Request, job: Job, policy: EffectPolicy, event: Int)]
    let transitions: [Transition]
    let policies: [EventPolicy]
    let layer: Guard
    let observer: Observer
    let hasLimit: Bool
    let hasParts: Bool
    let stops: Bool
    let hasOther: Bool
    let forbidden: Int
    let cascadeLimit: Int

    init(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &dice)] }
        func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &dice) == 0 }
        requests = (0..<Int.random(in: 1...3, using: &dice)).map { _ in
            (
                one(Request.allCases), one(Job.allCases),
                one([
                    .concurrent, .queue, .replace, .drop, .debounce(.seconds(1)),
                    .debounceThenReplace(.seconds(2)),
                    .throttle(.seconds(2)),
                ]), Int.random(in: 0..<2, using: &dice)
            )
        }
        transitions = (0..<2).map { _ in one(Transition.allCases) }
        policies = (0..<2).map { event in
            one([
                .queue, .queue, .queue, .replace, .dropWhileBusy,
                .debounce(.seconds(1), key: EffectKey(event)),
                .debounce(.seconds(2), key: "one"), .throttle(.seconds(2), key: EffectKey(event)),
            ])
        }
        (layer, observer) = (one(Guard.allCases), one(Observer.allCases))
        (hasLimit, hasParts, stops, hasOther) = (chance(3), chance(3), chance(8), chance(4))
        forbidden = chance(2) ? Int.random(in: 1..<7, using: &dice) : -1
        // Three pieces of work may answer each event: more would be a million events in one step.
        cascadeLimit = chance(6) ? 2 : 5
    }

    /// What the pieces of one world share.
    struct Shared: Sendable {
        let world: World<State>
        let disk: WorldVariable<Int>
        let token: Promise<Int>
        let other: System<Int, Int>
        let system: Lock<System<State, Event>?>
    }

    @Sendable
    func build(_ world: World<State>) -> System<State, Event> {
        let shared = Shared(
            world: world, disk: world.variable(0), token: world.call("token", .value(1), .value(2)),
            other: System(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 3 }),
            system: Lock(nil))
        if forbidden > 0 { world.always("never \(forbidden)") { $0.number != forbidden } }
        let system = System(
            initialState: State(), scheduler: world.scheduler,
            reducer: hasParts ? .combined(reducer(shared), partReducer, rowReducer) : reducer(shared),
            feedbacks: requests.enumerated().map {
                feedback($0, $1.request, $1.job, $1.policy, $1.event, shared)
            }
                + (hasParts ? parts(shared) : []) + ends(shared),
            middleware: middleware(shared),
            configuration: .init(
                eventPolicy: { if case .send(let number) = $0 { policies[number] } else { .queue } },
                timeLimit: { hasLimit && $0 == .send(0) ? .seconds(3) : nil }, cascadeLimit: cascadeLimit))
        if stops { shared.system.exchange(for: system) }
        observe(system, shared)
        return system
    }

    var explorer: Explorer<State, Event> { Explorer(events: [.send(0), .send(1)], build: build) }

    private func observe(_ system: System<State, Event>, _ shared: Shared) {
        let (world, disk, other) = (shared.world, shared.disk, shared.other)
        switch observer {
        case .none, .none2, .none3: break
        case .sends:
            _ = system.addLoopCallback { [weak system] state in
                if state.number == 1 { system?.sendEvent(.send(1)) }
            }
        case .schedules:
            _ = system.addLoopCallback { state in
                if state.number == 2 { world.scheduler.schedule { other.stop() } }
                if state.number == 3 { world.scheduler.schedule { disk.value = 1 } }
            }
        case .records:
            _ = system.onLoop { record in if record.event == .send(0) { other.sendEvent(1) } }
        case .errors: _ = system.onError { _ in disk.value = 2 }
        case .acts:
            world.action("other") { other.sendEvent(1) }
            world.action("disk") { disk.value = 1 }
        }
    }

    // MARK: Reducers

    private func reducer(_ shared: Shared) -> Reducer<State, Event> {
        Reducer { state, event in
            var next = state
            switch event {
            case .send(let number):
                next.number = (state.number + number + 1) % 7
                return transition(transitions[number], from: state, to: next, shared)
            case .got(let number):
                next.number = (state.number * 3 + number) % 7
                return .value(next)
            case .part(let number):
                next.part = state.part == nil ? nil : number
                return .value(next)
            case .row: return .value(state)
            }
        }
    }

    private func transition(
        _ transition: Transition, from state: State, to next: State, _ shared: Shared
    ) -> Promise<State> {
        var next = next
        switch transition {
        case .next, .next2: return .value(next)
        case .part: next.part = state.part == nil ? next.number : nil
        case .rows:
            next.rows =
                state.rows.count < 2
                ? state.rows + [.init(id: state.rows.count)] : Array(state.rows.dropFirst())
        case .call: return shared.world.call("turn", .value(next, named: "done"), .error(Failure()))
        case .interim:
            var interim = state
            interim.number += 100
            return shared.world.call("turn", .value(next, named: "done"), .error(Failure())).stateWhenLoading(
                interim)
        case .fails: return Promise(error: Failure())
        case .delay: return Promise.value(next).delay(.seconds(2))
        case .tail:
            let call = shared.world.call("turn", .value(next, named: "done"))
            _ = call.delay(.zero).done { _ in shared.disk.value = (shared.disk.value + 1) % 3 }
            return call
        case .reads: next.number = (next.number + shared.disk.value + shared.other.state) % 7
        }
        return .value(next)
    }

    private static let part = Scope<State, Event, Int?, Int>(
        state: \.part,
        event: CasePath(embed: Event.part) { if case .part(let number) = $0 { number } else { nil } })
    private static let rows = Elements<State, Event, Int, State.Row, Int>(
        in: \.rows,
        event: CasePath(embed: Event.row) { if case .row(let id, let add) = $0 { (id, add) } else { nil } })

    private var partReducer: Reducer<State, Event> {
        Reducer<Int, Int> { $0 = ($0 + $1) % 5 }.lifted(by: Self.part)
    }

    private var rowReducer: Reducer<State, Event> {
        Reducer<State.Row, Int> { $0.number = ($0.number + $1) % 3 }.lifted(byEach: Self.rows)
    }

    private func parts(_ shared: Shared) -> [Feedback<State, Event>] {
        [
            Feedback<Int, Int>.lensingSkippingRepeated(state: { $0 % 2 }) { number in
                shared.world.call("part", .value(number + 1))
            }.lifted(by: Self.part),
            Feedback<State.Row, Int>.whenBecomesTrue(state: { $0.number == 0 }) { row in
                Promise.value(row.id + 1).delay(.seconds(1))
            }.lifted(byEach: Self.rows),
            Feedback<State.Row, Int>.extractingSkippingRepeated(payload: { $0 == 2 ? nil : $0 }) { number in
                shared.world.call("row", .value(number))
            }.lifted(byEach: Self.rows),
        ]
    }

    // MARK: Middleware

    private func middleware(_ shared: Shared) -> Middleware<State, Event> {
        switch layer {
        case .none, .none2: return .identity
        case .remembers:
            let last = Lock<Event?>(nil)
            return Middleware(
                isStateful: true,
                before: { event, _ in last.exchange(for: event) == event ? .stop : .pass })
        case .replaces:
            return Middleware(before: { event, _ in event == .got(1) ? .replace(.got(2)) : .pass })
        case .sendsBefore:
            return Middleware(before: { event, system in
                if event == .send(1) { system.sendEvent(.got(system.state.number)) }
                return .pass
            })
        case .sendsAfter:
            return Middleware(after: { event, system in
                if event == .send(0), system.state.number == 1 { system.sendEvent(.got(1)) }
            })
        case .calls:
            return Middleware(before: { event, system in
                if case .send(let number) = event {
                    _ = shared.world.call("middleware", .value(number, named: "a")).delay(.seconds(1))
                        .done { system.sendEvent(.got($0)) }
                }
                return .pass
            })
        case .reads:
            return Middleware(before: { event, _ in
                event == .send(0) && shared.disk.value == 1 ? .replace(.got(0)) : .pass
            })
        }
    }
}
