import Promise
import PromisedExploring
import PromisedSystem
import TestSupport

/// A small machine with random work: how it is requested, its calls, several timers of one piece of work that race, the
/// variables that it reads and writes, and the policies of events.
struct RandomWork: Sendable {
    enum Event: Hashable, Sendable { case first, second, got(Int) }

    /// The work that an event starts.
    struct Job: Sendable {
        let policy: EffectPolicy
        /// Whether it reads its variable when it is requested, and again when it ends.
        let readsAtFirst: Bool
        let readsAtLast: Bool
        /// What is written when the call is answered, if anything.
        let writes: Int?
        /// The delays that race; empty for a call alone.
        let delays: [Int]
        let limit: Int?
    }

    let jobs: [Job]
    let policies: [EventPolicy]
    let interim: Bool

    init(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        func coin() -> Bool { Bool.random(using: &dice) }
        func one<Value>(of values: [Value]) -> Value {
            values[Int.random(in: 0..<values.count, using: &dice)]
        }
        jobs = (0..<2).map { _ in
            Job(
                policy: one(of: [
                    .concurrent, .drop, .queue, .replace, .debounce(.seconds(2)), .throttle(.seconds(2)),
                    .throttle(.seconds(1), edges: .both), .throttle(.seconds(2), edges: .trailing),
                ]),
                readsAtFirst: coin(), readsAtLast: coin(), writes: coin() ? one(of: [1, 2]) : nil,
                delays: one(of: [[], [1], [2, 1], [3, 2]]), limit: coin() && coin() ? 2 : nil)
        }
        policies = (0..<2).map { key in
            one(of: [
                .queue, .queue, .queue, .debounce(.seconds(key + 1), key: EffectKey(key)), .dropWhileBusy,
                .throttle(.seconds(2), edges: .both, key: EffectKey(key)),
            ])
        }
        interim = coin()
    }

    func build(_ world: World<Int>) -> System<Int, Event> {
        let disk = world.variable(0)
        return System(
            initialState: 0, scheduler: world.scheduler, reducer: reducer(world),
            feedbacks: [
                feedback(of: .first, jobs[0], world, disk), feedback(of: .second, jobs[1], world, disk),
            ],
            configuration: .init(eventPolicy: { event in
                switch event {
                case .first: policies[0]
                case .second: policies[1]
                case .got: .queue
                }
            }))
    }

    private func reducer(_ world: World<Int>) -> Reducer<Int, Event> {
        Reducer { state, event in
            guard case .got(let number) = event else { return .value(state) }
            let next = (state * 3 + number) % 11
            guard interim, number == 2 else { return .value(next) }
            return world.call("turn", .value(next, named: "done")).stateWhenLoading(state + 100)
        }
    }

    private func feedback(
        of event: Event, _ job: Job, _ world: World<Int>, _ disk: WorldVariable<Int>
    ) -> Feedback<Int, Event> {
        .onEvent({ $0 == event ? (job.readsAtFirst ? disk.value : 7) : nil }, policy: job.policy) { given in
            let calls = (job.delays.isEmpty ? [0] : job.delays).map { delay in
                let call = world.call(
                    "\(event)",
                    .result("done") { () -> Int in
                        if let number = job.writes { disk.value = number + delay }
                        return delay
                    })
                return delay == 0 ? call : call.delay(.seconds(delay))
            }
            let race = calls.count == 1 ? calls[0] : Promise.race(calls)
            let limited = job.limit.map { race.timeout(.seconds($0)) } ?? race
            return limited.map { number in
                Event.got((number + given + (job.readsAtLast ? disk.value : 0)) % 5)
            }
        }
    }
}
