import Observation
import PromisedSystem
import Promise
import TestSupport
import Testing

/// Subscribers that come and go on eight threads while events flow.
@Suite(.oneAtATime, .tags(.sharedState)) struct ReaderRaceTests {
    private let scheduler = QueueScheduler.serial("readers")
    private let system: System<Int, Int>

    init() {
        system = System(initialState: 0, scheduler: scheduler) { .value($0 + $1) }
    }

    @Test(
        "no subscriber misses a change after its first value, and none is called after its token is released")
    func comingAndGoing() async {
        let total = rounds(300, stress: 2000)
        let sources = makeSources()
        let trouble = Log<String>()
        let isSending = Switch()
        async let sending: Void = onThread { [system] in
            for _ in 0..<total { system.sendEvent(1) }
            isSending.turnOn()
        }
        await onThreads(8) { thread in
            var readers: [Reader] = []
            var round = thread
            while !isSending.isOn || round < thread + 50 {
                let (name, source) = sources[round % sources.count]
                readers.append(Reader(name, source, trouble))
                // Each subscription lives until a few later ones, so that it receives some changes.
                if readers.count > 4 { readers.removeFirst().leave() }
                round += 1
            }
            for reader in readers { reader.leave() }
        }
        await sending
        await scheduler.caughtUp()
        #expect(trouble.entries.isEmpty)
        // Only operators with a memory are still subscribed.
        #expect(system.subscribers == 2)
        #expect(sources.map(\.source.value) == [total, total, total, 2 * total, total, total, total, total])
    }

    @Test("cancelling a token on the scheduler is never followed by a call")
    func cancelledOnScheduler() async {
        let sources = makeSources()
        let calls = Log<String>()
        let isOver = Switch()
        async let sending: Void = onThread { [system, scheduler] in
            for round in 0..<rounds(50, stress: 300) {
                let (name, source) = sources[round % sources.count]
                let isGone = Switch()
                let token = source.subscribe { _ in if isGone.isOn { calls.add(name) } }
                for _ in 0..<3 { system.sendEvent(1) }
                scheduler.schedule {
                    token.cancel()
                    isGone.turnOn()
                }
            }
            isOver.turnOn()
        }
        await onThreads(2) { [system] _ in while !isOver.isOn { system.sendEvent(1) } }
        await sending
        await scheduler.caughtUp()
        #expect(calls.entries.isEmpty)
    }

    @Test("objects, and readers under observation, on eight threads receive rising values and unsubscribe")
    func objects() async {
        let source = system.settled.map { $0 }
        let fired = SharedCount()
        await onThreads(8) { [system] thread in
            for _ in 0..<rounds(30, stress: 100) {
                let object = Object()
                source.subscribe(object, Object.hear)
                system.settled.subscribe(object, Object.hear, replayCurrent: false)
                withObservationTracking {
                    _ = system.settled.value
                } onChange: {
                    fired.add(1)
                }
                withObservationTracking {
                    _ = source.magnitude
                } onChange: {
                    fired.add(1)
                }
                system.sendEvent(1)
                if thread.isMultiple(of: 2) { source.unsubscribe(object) }
            }
        }
        await scheduler.caughtUp()
        #expect(fired.value > 0)
        #expect(source.objectCount == 0)
        #expect(system.settled.objectCount == 0)
        // The next change removes all of them.
        system.sendEvent(1)
        await scheduler.caughtUp()
        await scheduler.caughtUp()
        #expect(system.subscribers == 0)
    }

    /// Numbers that grow by one with each value.
    private func makeSources() -> [(name: String, source: Source<Int>)] {
        let mapped = system.settled.map { $0 }
        return [
            ("settled", system.settled), ("map", mapped), ("map of map", mapped.map { $0 }),
            ("combined", system.settled.combined(with: mapped).map { $0 + $1 }),
            ("filter", mapped.filter { _ in true }),
            ("pairs", system.settled.currentAndPrevious().map { $0.current }),
            ("flatMap", mapped.flatMap { .constant($0) }), ("duplicates", mapped.removeDuplicates()),
        ]
    }
}

/// Receives numbers, which must grow by one.
private final class Reader: Sendable {
    private let name: String
    private let trouble: Log<String>
    private let last = Box<Int?>(nil)
    private let isGone = Switch()
    private let late = SharedCount()
    private let token = Box<SubscriptionToken?>(nil)

    init(_ name: String, _ source: Source<Int>, _ trouble: Log<String>) {
        (self.name, self.trouble) = (name, trouble)
        token.value = source.subscribe { [weak self] in self?.hear($0) }
        if last.value == nil { trouble.add("\(name): no present value") }
    }

    private func hear(_ value: Int) {
        // A call that had begun on another thread may still be running; at most one per object.
        if isGone.isOn {
            late.add(1)
            if late.value > 1 { trouble.add("\(name): told \(value) when gone") }
        }
        if let before = last.exchange(value), value != before + 1 {
            trouble.add("\(name): \(before), then \(value)")
        }
    }

    func leave() {
        token.value = nil
        isGone.turnOn()
    }
}

private final class Object: Sendable {
    func hear(_ number: Int) {}
}
