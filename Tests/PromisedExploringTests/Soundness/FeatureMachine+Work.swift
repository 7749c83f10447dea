import Promise
import PromisedExploring
import PromisedSystem
import TestSupport

// The work of a machine, and what requests it.
extension FeatureMachine {
    func ends(_ shared: Shared) -> [Feedback<State, Event>] {
        var all: [Feedback<State, Event>] = []
        if hasOther {
            all.append(
                .onEvent({ if case .send(let number) = $0 { number } else { nil } }) { number in
                    Effect<Event> { effect in
                        shared.other.sendEvent(number)
                        effect.finish(sending: .got(shared.other.state))
                    }
                })
        }
        if stops {
            all.append(
                .onEvent({ $0 == .got(2) ? true : nil }) { _ in
                    Effect<Event>.fireAndForget { shared.system.exchange(for: nil)?.stop() }
                })
        }
        return all
    }

    func feedback(
        _ number: Int, _ request: Request, _ job: Job, _ policy: EffectPolicy, _ event: Int, _ shared: Shared
    ) -> Feedback<State, Event> {
        let name = "work \(number)"
        let work: @Sendable (Int) -> Effect<Event> = { effect(job, name, $0, shared) }
        let payload: @Sendable (Event) -> Int? = { $0 == .send(event) ? event : nil }
        switch request {
        case .onEvent: return .onEvent(payload, policy: policy, effects: work)
        case .keyed:
            return .onEvent(
                { if case .send(let number) = $0 { number } else { nil } }, key: { EffectKey($0) },
                policy: policy,
                effects: work)
        case .latest: return .latest(state: { $0.number % 3 == 0 ? nil : $0.number % 2 }, effects: work)
        case .whilePresent:
            return .whilePresent(state: { $0.part ?? ($0.number == 2 ? 2 : nil) }, effects: work)
        case .set: return .react(requests: { Set($0.rows.map(\.id) + [$0.number % 3]) }, effects: work)
        case .updates:
            return .react(
                requests: { [1: $0.number % 4] }, delivery: [.immediate, .debounce(.seconds(1))][event]
            ) {
                _, first, later in
                Effect<Event>.merge(work(first), .values(later.map { Event.part($0 % 3) }))
            }
        case .skipping: return .skippingRepeated(state: { $0.number % 3 }) { work($0.number % 2) }
        case .extracting: return .extractingSkippingRepeated(payload: payload, effects: work)
        case .condition: return .whenBecomesTrue(state: { $0.number % 2 == event }) { work($0.number % 3) }
        case .cancel:
            return .onEvent(payload, key: { _ in "one" }, policy: policy, effects: work)
                <> .onEvent({ $0 == .send(1 - event) ? true : nil }) { _ in Effect.cancel("one") }
        case .broadcast:
            return .onEvent(payload, key: { _ in "one" }, policy: policy) { number in
                Effect<Event> { effect in
                    effect.onBroadcast(of: Int.self) { effect.send(.got($0)) }
                    _ = shared.world.call(name, .value(number, named: "end")).done {
                        effect.finish(sending: .got($0))
                    }
                }
            } <> .onEvent({ $0 == .send(1 - event) ? true : nil }) { _ in Effect.broadcast(1, to: "one") }
        case .states:
            return .withLatest(state: { $0.number % 2 == 0 ? $0.number : nil }, effects: work)
        case .imperative:
            return .imperative { send in
                { state, sent in if sent == .send(event), state.number > 2 { send(.got(1)) } }
            }
        }
    }

    private func effect(_ job: Job, _ name: String, _ number: Int, _ shared: Shared) -> Effect<Event> {
        let world = shared.world
        @Sendable func got(_ number: Int) -> Event { .got(number % 4) }
        switch job {
        case .now: return .just(got(number))
        case .call:
            return .promise(
                world.call(name, .value(got(number), named: "a"), .value(got(number + 1), named: "b")))
        case .fails:
            return Effect.promise(world.call(name, .value(got(number), named: "a"), .error(Failure())))
                .recover { _ in got(3) }
        case .delay: return .promise(Promise.value(got(number)).delay(.seconds(1)))
        case .race:
            return .promise(
                Promise.race([
                    Promise.value(got(number)).delay(.seconds(3)),
                    world.call(name, .value(got(number + 1), named: "a")).delay(.seconds(1)),
                ]))
        case .retry:
            return .promise(
                Promise.retry(attempts: 2, backoff: .constant(.seconds(1))) {
                    world.call(name, .value(got(number), named: "a"), .error(Failure()))
                }.mapErrorRecover { _ in got(2) })
        case .timeout:
            return .promise(
                world.call(name, .value(got(number), named: "a")).timeout(.seconds(2)).mapErrorRecover { _ in
                    got(2)
                })
        case .shared:
            return .promise(
                shared.token.flatMap { token in world.call(name, .value(got(number + token), named: "a")) })
        case .reads:
            return .promise(
                world.call(name, .result("a") { shared.disk.value })
                    .flatMap { read in world.call(name + "'", .result("b") { got(read + shared.disk.value) })
                    })
        case .writes:
            return .promise(
                world.call(
                    name,
                    .result("a") {
                        shared.disk.value = (shared.disk.value + 1) % 3
                        return got(shared.disk.value)
                    }))
        case .clock:
            return Effect { effect in
                effect.finish(sending: got(Int(effect.scheduler.now.components.seconds)))
            }
        case .timers:
            return Effect { effect in
                let first = effect.scheduler.schedule(after: .seconds(1)) { effect.send(got(number)) }
                let second = effect.scheduler.schedule(after: .seconds(2)) {
                    effect.finish(sending: got(number + 1))
                }
                effect.onCancel {
                    first.cancel()
                    second.cancel()
                }
            }
        case .merged:
            return .merge(
                .promise(world.call(name, .value(got(number), named: "a"))),
                .promise(Promise.value(got(number + 1)).delay(.seconds(1))))
        case .async:
            return .task {
                let first = try await world.call(name, .value(number, named: "a")).value
                return got(try await world.call(name + "'", .value(first), .value(first + 1)).value)
            }
        }
    }
}
