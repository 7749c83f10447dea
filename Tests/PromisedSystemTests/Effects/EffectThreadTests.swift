import Dispatch
import Promise
import PromisedSystem
import TestSupport
import Testing

/// Effects that answer from other threads, while others send, subscribe, cancel and release.
@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(10)), .tags(.sharedState)) struct EffectThreadTests {
    private enum Event: Sendable {
        case sent(by: Int, Int)
        case answered(by: Int, Int)
    }

    private struct Counts: Sendable, Equatable {
        var sent = [Int](repeating: 0, count: 8)
        var answered = [Int](repeating: 0, count: 8)
        /// Events that did not arrive in their sender's order.
        var disorder = 0
    }

    private static let counting = Reducer<Counts, Event> { counts, event in
        switch event {
        case .sent(let sender, let number):
            if counts.sent[sender] != number { counts.disorder += 1 }
            counts.sent[sender] += 1
        case .answered(let sender, let number):
            if counts.answered[sender] != number { counts.disorder += 1 }
            counts.answered[sender] += 1
        }
    }

    /// Every event is answered from another thread: in order, as each sender has its own queue.
    private static func answering(_ queues: [DispatchQueue]) -> Feedback<Counts, Event> {
        .onEvent({ if case .sent(let sender, let number) = $0 { [sender, number] } else { nil } }) { sent in
            Effect<Event> { effect in
                queues[sent[0]].async {
                    effect.send(.answered(by: sent[0], sent[1]))
                    effect.finish()
                }
            }
        }
    }

    private static func queues() -> [DispatchQueue] { (0..<8).map { DispatchQueue(label: "effects \($0)") } }

    enum Where: CaseIterable { case serial, immediate }

    @Test(
        "R11: 8 senders, answers from 8 other threads, subscribers that come and go: none lost, all in order",
        arguments: Where.allCases)
    func eightSenders(place: Where) async {
        let each = rounds(100, stress: 500)
        let queues = Self.queues()
        let feedbacks = [Self.answering(queues)]
        let (passed, records) = (SharedCount(), SharedCount())
        let middleware = Middleware<Counts, Event>(after: { _, _ in passed.add(1) })
        let system: System<Counts, Event>
        let scheduler: any SerialScheduler
        switch place {
        case .serial:
            let queue = QueueScheduler.serial("effects")
            scheduler = queue
            system = System(
                initialState: Counts(), scheduler: queue, reducer: Self.counting, feedbacks: feedbacks,
                middleware: middleware)
        case .immediate:
            scheduler = .immediate
            system = System(
                initialState: Counts(), scheduler: .immediate, reducer: Self.counting, feedbacks: feedbacks,
                middleware: middleware)
        }
        system.onLoop { _ in records.add(1) }
        await onThreads(9) { thread in
            guard thread < 8 else {
                for _ in 0..<each { withExtendedLifetime(system.settled.subscribe { _ in }) {} }
                return
            }
            for number in 0..<each { system.sendEvent(.sent(by: thread, number)) }
        }
        let all = [Int](repeating: each, count: 8)
        await system.settled { $0.answered == all }
        // Includes the last turn, wherever it runs.
        for queue in queues { await drained(queue) }
        await scheduler.caughtUp()
        #expect(system.state == Counts(sent: all, answered: all))
        #expect(passed.value == 16 * each)
        #expect(records.value == 16 * each)
    }

    @Test(
        "R18: released while others send, subscribe and answer: nothing is called, started or left running",
        arguments: Where.allCases)
    func released(place: Where) async {
        for round in 0..<rounds(40, stress: 150) {
            let isOver = Switch()
            let late = Log<Int>()
            let (started, cancelled) = (SharedCount(), SharedCount())
            let kept = Log<EffectHandle<Int>>()
            let queue = DispatchQueue(label: "released \(round)")
            let holding = Feedback<Int, Int>.onEvent({ $0 > 0 ? $0 : nil }) { number in
                Effect<Int> { effect in
                    if isOver.isOn { late.add(-1) }
                    // One half answers while the system is released, the other only after that.
                    guard number.isMultiple(of: 2) else {
                        return queue.async {
                            effect.send(-number)
                            effect.finish()
                        }
                    }
                    started.add(1)
                    effect.onCancel { cancelled.add(1) }
                    kept.add(effect)
                }
            }
            let box = Box<System<Int, Int>?>(nil)
            let scheduler: any SerialScheduler =
                place == .serial ? QueueScheduler.serial("released") : ImmediateScheduler.immediate
            box.value = Self.system(on: scheduler, [holding]) { if isOver.isOn { late.add(-2) } }
            box.value?.addBinding { if isOver.isOn { late.add($0) } }
            box.value?.onLoop { if isOver.isOn { late.add($0.number) } }
            weak let system = box.value
            await onThreads(3) { thread in
                for number in 1...20 {
                    switch thread {
                    case 0: box.value?.sendEvent(number)
                    case 1: system?.sendEvent(100 + number)
                    default: _ = system?.settled.subscribe { _ in if isOver.isOn { late.add(-3) } }
                    }
                }
                if thread == 0 { box.value = nil }
            }
            // A callback that had begun on another thread during the release may run to its end.
            await drained(queue)
            await scheduler.caughtUp()
            isOver.turnOn()
            #expect(system == nil)
            #expect(started.value == cancelled.value)
            queue.async { for effect in kept.entries { effect.send(1000) } }
            await drained(queue)
            await scheduler.caughtUp()
            #expect(late.entries.isEmpty)
        }
    }

    private static func system(
        on scheduler: some SerialScheduler, _ feedbacks: [Feedback<Int, Int>],
        _ passed: @escaping @Sendable () -> Void
    ) -> System<Int, Int> {
        System(
            initialState: 0, scheduler: scheduler, reducer: Reducer { $0 += $1 }, feedbacks: feedbacks,
            middleware: Middleware(after: { _, _ in passed() }))
    }
}
