import Dispatch
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct SourceTests {
    @Test("settled emits settled states; shown emits loading and restored states as well")
    func settledAndShown() {
        let bench = Bench()
        bench.send(.add("a", after: .s(1), showing: "L"), .fail("f", after: .s(1), showing: "M"))
        bench.advance(1)
        #expect(bench.system.settled.value == "a")
        #expect(bench.system.shown.value == .loading("M"))
        bench.advance(1)
        #expect(bench.settled.entries == ["a"])
        #expect(bench.shown.entries == ["~L", "a", "~M", "a"])
        #expect(bench.system.settled.value == "a")
        #expect(bench.system.shown.value == .settled("a"))
        #expect(bench.system.state == "a")
    }

    @Test("subscribe delivers the current value first, before it returns, on request")
    func replay() {
        let bench = Bench()
        bench.send(.add("a", after: .s(1), showing: "L"))
        bench.advance()
        let log = Log<String>()
        let tokens = [
            bench.system.shown.subscribe { log.add("shown \(mark($0))") },
            bench.system.settled.subscribe { log.add("settled \($0)") },
            bench.system.settled.subscribe(replayCurrent: false) { log.add("later \($0)") },
        ]
        #expect(log.take() == ["shown ~L", "settled "])
        bench.advance(1)
        #expect(log.entries == ["shown a", "settled a", "later a"])
        tokens.forEach { $0.cancel() }
    }

    @Test("A closure from main-actor code may access its state, and is called in order")
    @MainActor func mainActor() async {
        let system = System<Int, Int>(initialState: 0, scheduler: .main) { .value($0 + $1) }
        var told: [Int] = []
        let token = system.settled.subscribe { told.append($0) }
        system.sendEvent(1)
        system.sendEvent(2)
        await mainCaughtUp()
        #expect(told == [0, 1, 3])
        token.cancel()
        system.sendEvent(3)
        await mainCaughtUp()
        #expect(told == [0, 1, 3])
    }

    @Test(
        "A change during the delivery of the current value elsewhere is delivered on the scheduler, after it")
    func changeDuringReplay() async {
        let scheduler = QueueScheduler.serial("replay")
        let system = System<Int, Int>(initialState: 0, scheduler: scheduler) { .value($0 + $1) }
        let log = Log<String>()
        let changed = DispatchSemaphore(value: 0)
        let told = DispatchSemaphore(value: 0)
        // Callbacks are called after sources: the change has reached the subscription.
        system.addLoopCallback { _ in changed.signal() }
        await onThread {
            let token = system.settled.subscribe { value in
                log.add("\(value) \(scheduler.isCurrent)")
                guard value == 0 else { return _ = told.signal() }
                system.sendEvent(1)
                changed.wait()
            }
            told.wait()
            token.cancel()
        }
        #expect(log.entries == ["0 false", "1 true"])
    }

    @Test("Releasing or cancelling a token ends the subscription")
    func tokens() {
        let bench = Bench()
        let log = Log<String>()
        let token = bench.system.settled.subscribe(replayCurrent: false) { log.add("1 \($0)") }
        var other: SubscriptionToken? = bench.system.settled.subscribe(replayCurrent: false) {
            log.add("2 \($0)")
        }
        bench.send(.add("a"))
        bench.advance()
        token.cancel()
        bench.send(.add("b"))
        bench.advance()
        #expect(other != nil)
        other = nil
        bench.send(.add("c"))
        bench.advance()
        #expect(log.entries == ["1 a", "2 a", "2 ab"])
    }

    @Test("Unsubscribing during a delivery takes effect at once, also from inside its own closure")
    func unsubscribeInside() {
        let bench = Bench()
        let log = Log<String>()
        let tokens = Box<[SubscriptionToken]>([])
        let first = bench.system.settled.subscribe(replayCurrent: false) { state in
            log.add("1 \(state)")
            tokens.exchange([]).forEach { $0.cancel() }
        }
        let second = bench.system.settled.subscribe(replayCurrent: false) { log.add("2 \($0)") }
        tokens.value = [first, second]
        bench.send(.add("a"), .add("b"))
        bench.advance()
        #expect(log.entries == ["1 a"])
        withExtendedLifetime((first, second)) {}
    }

    @Test("A subscriber added during a delivery receives each value once")
    func subscribeInside() {
        let bench = Bench()
        let log = Log<String>()
        let tokens = Box<[SubscriptionToken]>([])
        let subscribe: @Sendable (String, StepSystem?) -> Void = { name, system in
            guard let system else { return }
            let token = system.settled.subscribe { log.add("\(name) \($0)") }
            tokens.value += [token]
        }
        bench.system.addBinding { [weak system = bench.system] in
            if $0 == "a" { subscribe("from binding", system) }
        }
        let outer = bench.system.settled.subscribe(replayCurrent: false) { [weak system = bench.system] in
            if $0 == "a" { subscribe("from subscriber", system) }
        }
        bench.system.addLoopCallback { [weak system = bench.system] in
            if $0 == "a" { subscribe("from callback", system) }
        }
        bench.advance()
        bench.send(.add("a"), .add("b"))
        bench.advance()
        #expect(log.take().prefix(3) == ["from binding a", "from subscriber a", "from callback a"])
        bench.send(.add("c"))
        bench.advance()
        #expect(log.entries.sorted() == ["from binding abc", "from callback abc", "from subscriber abc"])
        outer.cancel()
        tokens.value = []
    }

    @Test("PK-25: a subscription may skip equal values that the loop shows twice")
    func dedupe() {
        let bench = Bench()
        let last = Box<String?>(nil)
        let deduped = Log<String>()
        let token = bench.system.settled.subscribe { state in
            if last.exchange(state) != state { deduped.add(state) }
        }
        bench.send(.add(""), .add("a"), .add(""))
        bench.advance()
        #expect(bench.bound.entries == ["", "a", "a"])
        #expect(deduped.entries == ["", "a"])
        token.cancel()
    }

    @Test("values are the current one and every change, and end with the system")
    func values() async {
        let bench = Bench()
        bench.send(.add("a"))
        bench.advance()
        let settled = bench.system.settled.values
        let shown = bench.system.shown.values
        bench.send(.add("b", after: .s(1), showing: "L"), .add("c"))
        bench.advance(1)
        bench.release()
        #expect(await collect(settled) == ["a", "ab", "abc"])
        #expect(await collect(shown).map(mark) == ["a", "~L", "ab", "abc"])
    }

    @Test("values(.latest) skips unread values")
    func latest() async {
        let bench = Bench()
        var iterator = bench.system.settled.values(.latest).makeAsyncIterator()
        bench.send(.add("a"), .add("b"))
        bench.advance()
        #expect(await iterator.next() == "ab")
        bench.send(.add("c"), .add("d"))
        bench.advance()
        #expect(await iterator.next() == "abcd")
        bench.system.stop()
        #expect(await iterator.next() == nil)
    }

    @Test("values of a system that has ended are the last one")
    func valuesAfterEnd() async {
        let bench = Bench()
        bench.send(.add("a"))
        bench.advance()
        let source = bench.system.settled
        bench.system.stop()
        #expect(await collect(source.values) == ["a"])
        bench.release()
        #expect(source.value == "a")
        #expect(await collect(source.values(.latest)) == ["a"])
    }

    @Test("Cancelling a reader ends it; the sequence retains neither system nor subscription")
    func cancelledReader() async {
        let bench = Bench()
        let values = bench.system.settled.values
        let task = Task { await collect(values) }
        task.cancel()
        let read = await task.value
        #expect(read.isEmpty || read == [""])
        weak let system = bench.system
        bench.release()
        #expect(system == nil)
    }

    @Test("No change is missed between the current value and the first delivered one")
    func noGap() async {
        let total = rounds(500, stress: 3000)
        let system = System<Int, Int>(initialState: 0, scheduler: .serial("gap")) { .value($0 + $1) }
        let gaps = Log<String>()
        async let sending: Void = onThread { for _ in 0..<total { system.sendEvent(1) } }
        async let watching: Void = onThread {
            // Each subscription lives until a few later ones, so that it receives its first change.
            var tokens: [SubscriptionToken] = []
            for _ in 0..<total {
                let last = Box<Int?>(nil)
                tokens.append(
                    system.settled.subscribe { state in
                        if let before = last.exchange(state), state != before + 1 {
                            gaps.add("\(before) then \(state)")
                        }
                    })
                if last.value == nil { gaps.add("no present value") }
                if tokens.count > 4 { tokens.removeFirst() }
            }
        }
        await sending
        await system.settled { $0 == total }
        await watching
        #expect(gaps.entries.isEmpty)
    }

    @Test("A stop from another thread still delivers the current value to a reader")
    func endWhileAsking() async {
        var empty = 0
        for _ in 0..<rounds(100, stress: 300) {
            let box = Box<System<Int, Int>?>(
                System(initialState: 1, scheduler: .immediate) { .value($0 + $1) })
            let source = box.value?.settled
            async let end: Void = onThread { box.value = nil }
            if let source, await collect(source.values).isEmpty { empty += 1 }
            await end
        }
        #expect(empty == 0)
    }
}

func collect<Value>(_ values: Source<Value>.Values) async -> [Value] {
    var all: [Value] = []
    for await value in values { all.append(value) }
    return all
}
