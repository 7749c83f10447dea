import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSystem

/// Everything that can end, ended by two threads at the same time, ends exactly once.
@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(10)), .tags(.sharedState)) struct EndRaceTests {
    private enum Event: Sendable {
        case start(Int)
        case end(Int, by: Int)
    }

    /// How the second thread ends an effect.
    enum Ending: CaseIterable { case sending, failing, plainly }

    /// What the ended handle belongs to.
    enum Shape: CaseIterable { case alone, merged, mapped, recovered, watched }

    private static func effect(_ shape: Shape, _ body: @escaping @Sendable (EffectHandle<Event>) -> Void)
        -> Effect<
            Event
        >
    {
        let work = Effect<Event>(body)
        return switch shape {
        case .alone: work
        case .merged: .merge(work, .none)
        case .mapped: work.map { $0 }
        case .recovered: work.recover { _ in .end(-1, by: -1) }
        case .watched:
            Effect { effect in
                effect.onCancel {}
                body(effect)
            }
        }
    }

    @Test("R17: an effect that two threads end at once ends once", arguments: Shape.allCases, Ending.allCases)
    func effects(shape: Shape, ending: Ending) async {
        let races = rounds(300, stress: 2000)
        let handles = Log<EffectHandle<Event>>()
        let (ends, errors) = (Log<Int>(), SharedCount())
        let feedback = Feedback<Int, Event>.onEvent(
            { if case .start(let number) = $0 { number } else { nil } }, key: { EffectKey($0) }
        ) { _ in Self.effect(shape) { handles.add($0) } }
        let scheduler = QueueScheduler.serial("ends once")
        let system = System<Int, Event>(
            initialState: 0, scheduler: scheduler,
            reducer: Reducer { state, event in
                if case .end(let number, _) = event {
                    ends.add(number)
                    state += 1
                }
            }, feedbacks: [feedback])
        system.onError { _ in errors.add(1) }
        for number in 0..<races { system.sendEvent(.start(number)) }
        await scheduler.caughtUp()
        let all = handles.entries
        let meeting = Meeting()
        // Both threads process the same effects: one that lags behind skips the ended ones, and so catches up.
        await onThreads(2) { thread in
            meeting.come(isFirst: thread == 0)
            for number in 0..<races {
                if thread == 0 || ending == .sending {
                    all[number].finish(sending: .end(number, by: thread))
                } else if ending == .failing {
                    all[number].fail(TestError("ended"))
                } else {
                    all[number].finish()
                }
            }
        }
        await scheduler.caughtUp()
        let mine = ends.entries.filter { $0 >= 0 }
        #expect(mine.count == Set(mine).count)
        switch (ending, shape) {
        case (.sending, _): #expect(mine.count == races)
        case (.failing, .recovered): #expect(ends.count == races)  // Each error is an event.
        case (.failing, _): #expect(mine.count + errors.value == races)
        case (.plainly, _): #expect(mine.count <= races)
        }
        // Nothing is retained for ended work.
        #expect(system.loop.effects?.registry.slots.map(\.count) == [0])
    }

    /// A handle that can be ended: ends it, and returns whether this call was the one that ended it.
    enum Terminal: CaseIterable {
        case resolver, token, scheduledWork, promiseCancellation, system, source

        /// - Parameter ended: Called at each end.
        func make(_ ended: @escaping @Sendable () -> Void) -> @Sendable (_ thread: Int) -> Void {
            switch self {
            case .resolver:
                let (promise, resolver) = Promise<Int>.pending()
                promise.onResult { _ in ended() }
                return { thread in
                    _ = thread == 0 ? resolver.fulfill(1) : resolver.reject(TestError("ended"))
                }
            case .token:
                let token = SubscriptionToken(endsOnRelease: true, ended)
                return { _ in token.cancel() }
            case .scheduledWork:
                let work = ScheduledWork(ended)
                return { _ in work.run() }
            case .promiseCancellation:
                let promise = Promise<Int> { resolver in
                    resolver.onCancel { [resolver] in withExtendedLifetime(resolver) { ended() } }
                }
                promise.start(on: .immediate)
                return { _ in promise.cancel() }
            case .system:
                let work = Effect<Int> { $0.onCancel { ended() } }
                let system = System<Int, Int>(
                    initialState: 0, scheduler: .immediate, reducer: .identity,
                    feedbacks: [.just(effects: work)])
                return { _ in system.stop() }
            case .source:
                let system = System<Int, Int>(initialState: 0, scheduler: .immediate, reducer: .identity)
                let token = system.settled.map { $0 + 1 }.attach(true, { _ in }, ended)
                return { _ in withExtendedLifetime(token) { system.stop() } }
            }
        }
    }

    @Test("R17: everything else that two threads end at once ends once", arguments: Terminal.allCases)
    func others(terminal: Terminal) async {
        let races = rounds(200, stress: 1000)
        let counts = (0..<races).map { _ in SharedCount() }
        let ends = counts.map { count in terminal.make { count.add(1) } }
        let meeting = Meeting()
        await onThreads(2) { thread in
            meeting.come(isFirst: thread == 0)
            for end in ends { end(thread) }
        }
        #expect(counts.allSatisfy { $0.value == 1 })
    }
}
