import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// The last event of work, and work that ends after it was cancelled.
@Suite struct LastEventTests {
    private enum Event: Sendable, Equatable { case start, wait, cancel, answer(Int) }

    /// How the work signals its end.
    enum Ending: CaseIterable { case alone, merged, mapped, promise }

    private static func work(_ ending: Ending) -> Effect<Event> {
        let answering = Effect<Event> { effect in
            effect.scheduler.schedule(after: .seconds(2)) { effect.finish(sending: .answer(1)) }
        }
        return switch ending {
        case .alone: answering
        case .merged: .merge(answering, .none)
        case .mapped: answering.map { $0 }
        case .promise: .promise(Promise.value(.answer(1)).delay(.seconds(2)))
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

    @Test(
        "FS-22: an effect that fails with a cancellation error, as work cancelled elsewhere does, is not reported"
    )
    func cancellationIsNoFailure() {
        let scheduler = TestScheduler()
        let errors = Log<String>()
        let system = system(scheduler) {
            .merge(.fireAndForget { throw CancellationError() }, .task { throw CancellationError() })
        }
        system.onError { errors.add("\($0)") }
        system.sendEvent(.start)
        scheduler.run()
        #expect(errors.entries.isEmpty)
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
