import Dispatch
import Promise
import PromisedSystem
import TestSupport
import Testing

/// Starting, answering and cancelling work of one key, each on another thread.
@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(10)), .tags(.sharedState)) struct EffectRaceTests {
    private enum Event: Sendable, Equatable {
        case start(Int)
        case cancel(Int)
        case answer(Int)
    }

    /// The runs in progress, and the violations found.
    private final class Watch: Sendable {
        private struct Notes {
            var working: Int?
            var begun: [Int] = []
            var cancelled: Set<Int> = []
            var wrong: [String] = []
        }

        private let notes = Lock(Notes())

        var begun: [Int] { notes.withLock { $0.begun } }
        var wrong: [String] { notes.withLock { $0.wrong } }

        func begins(_ number: Int) {
            notes.withLock { notes in
                if let other = notes.working { notes.wrong.append("\(number) begins beside \(other)") }
                notes.working = number
                notes.begun.append(number)
            }
        }

        func ends(_ number: Int) {
            notes.withLock { notes in if notes.working == number { notes.working = nil } }
        }

        func isCancelled(_ number: Int) {
            ends(number)
            notes.withLock { _ = $0.cancelled.insert(number) }
        }

        func isAnswered(_ number: Int) {
            notes.withLock { notes in
                if notes.cancelled.contains(number) { notes.wrong.append("\(number) answers after its end") }
            }
        }
    }

    private static let started: @Sendable (Event) -> Int? = {
        if case .start(let number) = $0 { number } else { nil }
    }

    @Test(
        "R17: 8 senders, answers from other threads: at most one run per key, and no answer of a cancelled one",
        arguments: [EffectPolicy.replace, .drop, .queue])
    func oncePerKey(policy: EffectPolicy) async {
        let each = rounds(100, stress: 500)
        let watch = Watch()
        let queue = DispatchQueue(label: "once")
        let feedback = Feedback<Int, Event>.onEvent(Self.started, policy: policy) { number in
            Effect<Event> { effect in
                watch.begins(number)
                effect.onCancel { watch.isCancelled(number) }
                queue.async {
                    effect.send(.answer(number))
                    watch.ends(number)
                    effect.finish()
                }
            }
        }
        let scheduler = QueueScheduler.serial("once")
        let system = System<Int, Event>(
            initialState: 0, scheduler: scheduler,
            reducer: Reducer { count, event in
                guard case .answer(let number) = event else { return }
                watch.isAnswered(number)
                count += 1
            }, feedbacks: [feedback])
        await onThreads(8) { sender in
            for number in 0..<each { system.sendEvent(.start(sender * each + number)) }
        }
        await scheduler.caughtUp()
        if policy == .queue {
            await system.settled { $0 == 8 * each }
            #expect(watch.begun.sorted() == Array(0..<8 * each))
        }
        await drained(queue)
        await scheduler.caughtUp()
        #expect(watch.wrong == [])
        #expect(!watch.begun.isEmpty)
        #expect(system.state <= watch.begun.count)
    }

    @Test("R17: start against cancel: races, each outcome as its order requires")
    func startAgainstCancel() async {
        let races = rounds(200, stress: 1000)
        let (begun, cancelled) = (Log<Int>(), Log<Int>())
        let starting = Feedback<Int, Event>.onEvent(Self.started, key: { _ in "work" }, policy: .replace) {
            number in
            Effect<Event> { effect in
                begun.add(number)
                effect.onCancel { cancelled.add(number) }
            }
        }
        let cancelling = Feedback<Int, Event>.onEvent({
            if case .cancel(let number) = $0 { number } else { nil }
        }) { _ in Effect<Event>.cancel("work") }
        let system = System<Int, Event>(
            initialState: 0, scheduler: .immediate, reducer: Reducer { count, _ in count += 1 },
            feedbacks: [starting, cancelling])
        let order = Log<Event>()
        system.onLoop { order.add($0.event) }
        let meeting = Meeting()
        await onThreads(2) { thread in
            for number in 0..<races {
                meeting.come(isFirst: thread == 0)
                system.sendEvent(thread == 0 ? .start(number) : .cancel(number))
            }
        }
        await system.settled { $0 == 2 * races }
        // Either one cancels the running work: a cancel, or the start that replaces it.
        var running: Int?
        var expected: [Int] = []
        for event in order.entries {
            if let running { expected.append(running) }
            if case .start(let number) = event { running = number } else { running = nil }
        }
        #expect(begun.entries == Array(0..<races))
        #expect(cancelled.entries == expected)
        system.stop()
        #expect(cancelled.entries == Array(0..<races))
    }

    @Test("R17: a cancellation handler that is added while another thread cancels is called exactly once")
    func onCancelAgainstCancel() async {
        let races = rounds(200, stress: 1000)
        let told = Log<Int>()
        let handles = Log<EffectHandle<Int>>()
        let feedback = Feedback<Int, Int>.onEvent({ $0 }, policy: .replace) { _ in
            Effect<Int> { handles.add($0) }
        }
        let system = System<Int, Int>(
            initialState: 0, scheduler: .immediate, reducer: Reducer { count, _ in count += 1 },
            feedbacks: [feedback])
        system.sendEvent(0)
        let meeting = Meeting()
        await onThreads(2) { thread in
            for number in 0..<races {
                meeting.come(isFirst: thread == 0)
                if thread == 0 { system.sendEvent(number) }
                if thread == 1 { handles.entries[number].onCancel { told.add(number) } }
            }
        }
        #expect(told.entries.sorted() == Array(0..<races))
    }

    @Test("R17: a stop on one thread while another starts work: races, and no work is left running")
    func stopAgainstStart() async {
        let (started, cancelled) = (SharedCount(), SharedCount())
        let feedback = Feedback<Int, Int>.onEvent({ $0 }) { _ in
            Effect<Int> { effect in
                started.add(1)
                effect.onCancel { cancelled.add(1) }
            }
        }
        let systems = (0..<rounds(200, stress: 1000)).map { _ in
            System<Int, Int>(
                initialState: 0, scheduler: .immediate, reducer: Reducer { count, _ in count += 1 },
                feedbacks: [feedback])
        }
        let meeting = Meeting()
        await onThreads(2) { thread in
            for system in systems {
                meeting.come(isFirst: thread == 0)
                if thread == 0 { system.sendEvent(1) } else { system.stop() }
            }
        }
        #expect(started.value == cancelled.value)
    }
}
