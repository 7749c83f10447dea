import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Work that runs until its system ends can be left out of an exhaustive test.
@Suite struct SkippedWorkTests {
    enum Event: Sendable, Equatable { case start, echo(Int), add(Int) }

    private static let reducer = Reducer<Int, Event> { count, event in
        if case .add(let number) = event { count += number }
    }

    private func test(_ feedbacks: [Feedback<Int, Event>]) -> TestSystem<Int, Event> {
        TestSystem(initialState: 0, feature: Feature(reducer: Self.reducer, feedbacks: feedbacks))
    }

    private static let imperative = Feedback<Int, Event>.imperative { send in
        { _, event in if case .echo(let number) = event { send(.add(number)) } }
    }

    private static func endless(_ key: EffectKey, policy: EffectPolicy = .replace) -> Feedback<Int, Event> {
        .onEvent({ $0 == .start ? true : nil }, key: { _ in key }, policy: policy) { _ in Effect<Event>.never
        }
    }

    @Test(
        "OS-56: a feature with imperative code passes when its work is skipped, and what it sends is received"
    )
    func imperative() {
        let test = test([Self.imperative])
        test.skipRunningWork()
        test.send(.echo(3))
        test.receive(.add(3)) { $0 = 3 }
        test.finish()
        let texts = failures {
            let test = self.test([Self.imperative])
            test.skipRunningWork()
            test.send(.echo(3))
            test.finish()
        }
        #expect(texts.count == 1 && texts[0].hasPrefix("An event was not received: add(3)"))
    }

    @Test(
        "OS-56: every kind of work that lasts as long as its system can be skipped",
        arguments: ["imperative", "never", "input", "sequence", "keyed", "queued", "debounced"])
    func kinds(kind: String) {
        let source = System<Int, Event>(initialState: 0, scheduler: .immediate, reducer: Reducer { _, _ in })
        let feedback: Feedback<Int, Event> =
            switch kind {
            case "imperative": Self.imperative
            case "never": .never
            case "input": .input(source.settled) { .add($0) }
            case "sequence": .just(effects: Effect<Event>.values(AsyncStream<Event> { _ in }))
            case "keyed": Self.endless("a")
            case "queued": Self.endless("a", policy: .queue)
            default: Self.endless("a", policy: .debounce(.seconds(1)))
            }
        let texts = failures {
            let test = test([feedback])
            test.scheduler.asyncWorkLimit = .zero
            for _ in 1...3 { test.send(.start) }
            if kind == "input" { test.receive(.add(0)) }
            test.skipRunningWork()
            test.finish()
        }
        #expect(texts.isEmpty)
    }

    @Test("OS-56: skipping a key leaves the work of other keys to be finished, before and behind it")
    func byKey() {
        let texts = failures {
            let test = test([Self.endless("a"), Self.endless("b"), Self.endless("c"), .never])
            test.send(.start)
            test.skipRunningWork("b")
            test.finish()
        }
        #expect(
            texts.map { $0.prefix(25) }
                == ["The work of the feedback m", "The effect a, requested a", "The effect c, requested a"]
                .map { $0.prefix(25) })
    }

    @Test("OS-56: work that starts after skipping counts, and so does a restart of what was skipped")
    func later() {
        let texts = failures {
            let test = test([Self.endless("a")])
            test.send(.start)
            test.skipRunningWork("a")
            test.send(.start)
            test.finish()
        }
        #expect(texts.count == 1 && texts[0].hasPrefix("The effect a, requested at "))
    }

    @Test("OS-56: a queued effect that was skipped stays so when it starts") func queued() {
        let feedback = Feedback<Int, Event>.onEvent(
            { if case .echo(let number) = $0 { number } else { nil } }, key: { _ in "a" }, policy: .queue
        ) { number in Promise.value(Event.add(number)).delay(.seconds(number)) }
        let test = test([feedback])
        test.send(.echo(1))
        for number in 2...3 { test.send(.echo(number)) }
        test.skipRunningWork("a")
        test.advance(by: .seconds(1))
        test.receive(.add(1)) { $0 = 1 }
        test.finish()
    }

    @Test("OS-56, R27: skipping where nothing runs fails, with what does run") func nothing() {
        #expect(
            failures { test([]).skipRunningWork() } == [
                "Expected an effect to skip, but none is running or queued."
            ])
        let texts = failures {
            let test = test([Self.endless("a")])
            test.send(.start)
            test.skipRunningWork("b")
            test.skipRunningWork("a")
            test.skipRunningWork("a")
        }
        #expect(texts.count == 2)
        #expect(
            texts.first?.hasPrefix(
                "Expected an effect of b to skip, but none is running or queued. This is:\n\n    The effect a, requested at "
            )
                == true)
        #expect(texts.last == "Expected an effect of a to skip, but none is running or queued.")
    }
}
