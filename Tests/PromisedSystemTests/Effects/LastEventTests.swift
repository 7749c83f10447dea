import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// The last event of work, and work that ends after it was cancelled.
@Suite struct LastEventTests {
    private enum Event: Sendable, Equatable { case start, wait, cancel, answer(Int) }

    /// How the work signals its end.
    enum Ending: CaseIterable { case alone, merged, mapped, promise, recovered, lifted }

    private static func work(_ ending: Ending) -> Effect<Event> {
        let answering = Effect<Event> { effect in
            effect.scheduler.schedule(after: .seconds(2)) { effect.finish(sending: .answer(1)) }
        }
        return switch ending {
        case .alone: answering
        case .merged: .merge(answering, .none)
        case .mapped: answering.map { $0 }
        case .promise: .promise(Promise.value(.answer(1)).delay(.seconds(2)))
        case .recovered:
            Effect.promise(Promise(error: TestError("no answer")).delay(.seconds(2))).recover { _ in
                .answer(1)
            }
        case .lifted: .merge(.none, .merge(answering.map { $0 }).map { $0 }).recover { _ in .answer(3) }
        }
    }

    /// A reducer that takes five seconds at `.wait`, and work that answers two seconds after `.start`.
    private func system(
        _ scheduler: TestScheduler, _ work: @escaping @Sendable () -> Effect<Event>
    ) -> System<[Event], Event> {
        System(
            initialState: [], scheduler: scheduler,
            feedbacks: [
                .onEvent({ $0 == .start ? true : nil }, key: { _ in "work" }) { _ in work() },
                .onEvent({ $0 == .cancel ? true : nil }) { _ in Effect<Event>.cancel("work") },
            ]
        ) { state, event in
            let next = Promise.value(state + [event])
            return event == .wait ? next.delay(.seconds(5)) : next
        }
    }

    @Test(
        "FS-23: cancelling discards the pending last event of ended work", arguments: Ending.allCases)
    func lastEventIsTakenBack(ending: Ending) {
        let scheduler = TestScheduler()
        let system = system(scheduler) { Self.work(ending) }
        for event in [Event.start, .wait, .cancel] { system.sendEvent(event) }
        scheduler.run()
        #expect(system.state == [.start, .wait, .cancel])
    }

    @Test("FS-23: the last event of work that is not cancelled is processed", arguments: Ending.allCases)
    func lastEventComes(ending: Ending) {
        let scheduler = TestScheduler()
        let system = system(scheduler) { Self.work(ending) }
        for event in [Event.start, .wait] { system.sendEvent(event) }
        scheduler.run()
        #expect(system.state == [.start, .wait, .answer(1)])
    }

    @Test(
        "What queued work sends is enqueued behind the last event of the work before it",
        arguments: Ending.allCases)
    func successorSendsAfterwards(ending: Ending) {
        let scheduler = TestScheduler()
        let system = System<[Event], Event>(
            initialState: [], scheduler: scheduler,
            feedbacks: [
                .onEvent({ $0 == .start || $0 == .wait ? $0 : nil }, key: { _ in "work" }, policy: .queue) {
                    $0 == .start ? Self.work(ending) : Effect.just(.answer(2))
                }
            ]
        ) { .value($0 + [$1]) }
        for event in [Event.start, .wait, .wait] { system.sendEvent(event) }
        scheduler.run()
        #expect(system.state == [.start, .wait, .wait, .answer(1), .answer(2), .answer(2)])
    }

    @Test(
        "A last event and an event sent by the same thread afterwards keep their order",
        arguments: [false, true])
    func lastEventKeepsItsPlace(isBusy: Bool) {
        let scheduler = TestScheduler()
        let handle = Lock<EffectHandle<Event>?>(nil)
        let system = system(scheduler) { Effect { effect in handle.exchange(for: effect) } }
        for event in isBusy ? [Event.start, .wait] : [.start] { system.sendEvent(event) }
        scheduler.advance()
        // From outside of the scheduler: everything is enqueued.
        handle.withLock { $0 }?.send(.answer(0))
        handle.withLock { $0 }?.finish(sending: .answer(1))
        system.sendEvent(.answer(2))
        scheduler.run()
        #expect(
            system.state == (isBusy ? [.start, .wait] : [.start]) + [.answer(0), .answer(1), .answer(2)])
    }

    @Test("The event policy applies to a last event where it was sent")
    func lastEventHasAPolicy() {
        let scheduler = TestScheduler()
        let system = System<[Event], Event>(
            initialState: [], scheduler: scheduler,
            feedbacks: [.onEvent({ $0 == .start ? true : nil }) { _ in Self.work(.alone) }],
            configuration: .init(eventPolicy: { $0 == .answer(1) ? .replace : .queue })
        ) { state, event in
            let next = Promise.value(state + [event])
            return event == .wait ? next.delay(.seconds(5)) : next
        }
        for event in [Event.start, .wait, .cancel] { system.sendEvent(event) }
        scheduler.run()
        #expect(system.state == [.start, .answer(1), .cancel])
    }

    @Test("FS-22: the failure of cancelled work is not reported, nor that of a merged effect")
    func failureOfCancelled() {
        let scheduler = TestScheduler()
        let (errors, recovered) = (Log<String>(), Log<String>())
        let failing = Effect<Event> { effect in
            effect.scheduler.schedule(after: .seconds(2)) { effect.fail(TestError("too late")) }
        }
        let system = system(scheduler) {
            .merge(
                failing, .never, failing.map { $0 },
                failing.recover { error in
                    recovered.add("\(error)")
                    return .answer(2)
                })
        }
        system.onError { errors.add("\($0)") }
        for event in [Event.start, .cancel] { system.sendEvent(event) }
        scheduler.run()
        #expect(errors.entries.isEmpty && recovered.entries.isEmpty)
        system.sendEvent(.start)
        scheduler.run()
        #expect(errors.entries == ["too late", "too late"])
        #expect(recovered.entries == ["too late"])
    }

    @Test("FS-22: an effect that brings a cancellation error itself fails like any other")
    func ownCancellation() {
        let scheduler = TestScheduler()
        let errors = Log<String>()
        let system = system(scheduler) {
            .merge(.fireAndForget { throw CancellationError() }, .task { throw CancellationError() })
        }
        system.onError { errors.add("\($0)") }
        system.sendEvent(.start)
        scheduler.run()
        #expect(errors.entries == ["CancellationError()", "CancellationError()"])
    }

    @Test("SR-41: merging no effects ends at once: work that is queued behind it starts")
    func mergeOfNone() {
        let scheduler = TestScheduler()
        let started = Log<Int>()
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler, reducer: Reducer { $0 += $1 },
            feedbacks: [
                .onEvent({ $0 }, policy: .queue) { number in
                    started.add(number)
                    return Effect<Int>.merge([])
                }
            ])
        for number in 1...3 { system.sendEvent(number) }
        scheduler.run()
        #expect(started.entries == [1, 2, 3])
    }
}
