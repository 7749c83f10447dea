import Dispatch
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Guarantees of every source.
@Suite(.tags(.sharedState)) struct SourceGuaranteeTests {
    private let log = Log<String>()

    @Test("SA-01: the initial value is made at most once, whatever the readers and subscribers")
    func initialOnce() {
        let count = SharedCount()
        let updates = AsyncStream<Int> { _ in }
        let source = Source(initial: made(count), updates: updates, on: TestScheduler())
        #expect(count.value == 0)
        #expect((1...3).map { _ in source.value } == [7, 7, 7])
        let token = source.subscribe { [log] in log.add("\($0)") }
        #expect(log.entries == ["7"])
        #expect(count.value == 1)
        withExtendedLifetime(token) {}
    }

    @Test("SA-03: every subscriber sees every value in the same order, also values that one of them sets")
    func sameOrder() {
        let numbers = Numbers()
        let source = numbers.source.map { $0 }
        let a = source.subscribe(replayCurrent: false) { [log] in
            log.add("A\($0)")
            if $0 == 1 { numbers.set(2) }
        }
        let copy = source
        let b = copy.subscribe(replayCurrent: false) { [log] in log.add("B\($0)") }
        numbers.set(1)
        #expect(log.entries == ["A1", "B1", "A2", "B2"])
        withExtendedLifetime((a, b)) {}
    }

    @Test("SA-06: a constant source delivers its value once and never again")
    func constant() async {
        let source = Source.constant("x")
        let token = source.subscribe { [log] in log.add($0) }
        #expect(log.entries == ["x"])
        #expect(source.value == "x")
        #expect(await collect(source.values) == ["x"])
        #expect(Source(wrappedValue: 4).map { $0 + 1 }.value == 5)
        withExtendedLifetime(token) {}
    }

    @Test("SA-61: a source in a set is found after its value has changed")
    func inSet() {
        let numbers = Numbers()
        let sources: Set = [numbers.source]
        numbers.set(1)
        #expect(sources.contains(numbers.source))
        #expect(!sources.contains(Numbers(1).source))
        #expect(!sources.contains(.constant(1)))
        let mapped = numbers.source.map { $0 }
        let copy = mapped
        #expect(mapped == copy)
        #expect(mapped != numbers.source)
    }

    @Test("SA-61: values are compared by name")
    func values() {
        let numbers = Numbers(4)
        #expect(numbers.source.hasSameValue(as: .constant(4)))
        #expect(!numbers.source.hasSameValue(as: .constant(5)))
    }

    @Test("SA-12: a property declared with @Source reads the current value")
    func property() {
        struct View {
            @Source var number: Int
        }
        let numbers = Numbers(4)
        let view = View(number: numbers.source)
        #expect(view.number == 4)
        numbers.set(5)
        #expect(view.number == 5)
        #expect(view.$number == numbers.source)
        #expect(numbers.subscribers == 0)
    }

    @Test(
        "two threads that are the first to subscribe do not wait for each other's transform",
        .timeLimit(.minutes(10)))
    func firstTogether() async {
        let system = System<Int, Int>(initialState: 1, scheduler: .immediate) { .value($1) }
        let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isFirst = Log<Bool>()
        let source = system.settled.map { value in
            isFirst.add(true)
            if isFirst.entries.count == 1 {
                first.signal()
                second.wait()
            }
            return value * 10
        }
        let received = Log<Int>()
        let tokens = Log<SubscriptionToken>()
        await onThreads(2) { thread in
            if thread == 1 { first.wait() }
            tokens.add(source.subscribe { received.add($0) })
            if thread == 1 { second.signal() }
        }
        #expect(received.entries == [10, 10])
        system.sendEvent(2)
        #expect(received.entries == [10, 10, 20, 20])
        #expect(isFirst.entries.count == 3)
        withExtendedLifetime(tokens) {}
    }
}

private func made(_ count: SharedCount) -> Int {
    count.add(1)
    return 7
}
