import PromisedSources
import TestSupport
import Testing

/// The builder form of small state machines.
@Suite(.tags(.sharedState)) struct BuiltSourceTests {
    struct Counter: Sendable {
        let count: Int
        let add: Action<Int>
        let reset: Action<Void>?
    }

    private func counter(_ log: ActionLog? = nil) -> BuiltSource<Int, Counter> {
        BuiltSource(0, log: log) { count, offer in
            Counter(
                count: count, add: offer("add") { $0 += $1 },
                reset: count == 0 ? nil : offer("reset") { count, _ in count = 0 })
        }
    }

    @Test("an action changes the state before the call returns, and subscribers receive each model")
    func calling() {
        let (source, seen) = (counter().eraseToSource(), Seen<Int>())
        let token = source.subscribe { seen.add($0.count) }
        source.value.add(2)
        source.value.add(3)
        source.value.reset?()
        #expect(seen.values == [0, 2, 5, 0])
        withExtendedLifetime(token) {}
    }

    @Test("an action that the present model was built without is not executed")
    func expired() {
        let (log, problems) = (ActionLog(), Seen<ActionCall>())
        let token = log.onProblem { problems.add($0) }
        let source = counter(log).eraseToSource()
        source.value.add(1)
        let reset = source.value.reset
        reset?()
        reset?()
        #expect(source.value.count == 0)
        #expect(problems.values.map { $0.action } == ["reset"])
        source.value.add(1)
        reset?()
        #expect(source.value.count == 0)
        withExtendedLifetime(token) {}
    }

    @Test("an action that is not offered any more when its turn comes changes nothing")
    func expiredMeanwhile() {
        struct Stock: Sendable {
            let count: Int
            let take: Action<Void>?
        }
        let log = ActionLog()
        let source = BuiltSource(1, log: log) { count, offer in
            Stock(count: count, take: count == 0 ? nil : offer("take") { count, _ in count -= 1 })
        }.eraseToSource()
        let take = source.value.take
        let isFirst = Threadsafe(wrappedValue: true)
        // Between the look at the model and the execution, as another thread could.
        let token = log.onCall { _ in
            guard isFirst.wrappedValue else { return }
            isFirst.wrappedValue = false
            take?()
        }
        take?()
        #expect(source.value.count == 0)
        withExtendedLifetime(token) {}
    }

    @Test("the source keeps the state machine, and its actions do not")
    func lifetime() {
        var source: Source<Counter>? = counter().eraseToSource()
        let add = source?.value.add
        add?(1)
        #expect(source?.value.count == 1)
        source = nil
        var isGone = false
        add?(
            1,
            ifUnavailable: {
                if case .sourceGone = $0 { isGone = true }
                return false
            })
        #expect(isGone)
    }

    @Test("it can be asked for its source several times: all of them share the models")
    func shared() {
        let built = counter()
        let (one, other) = (built.eraseToSource(), built.eraseToSource())
        one.value.add(4)
        #expect(other.value.count == 4)
        #expect(one == other)
        #expect(one.value.add == other.value.add)
    }

    @Test("eight threads lose no change")
    func threads() async {
        let source = counter().eraseToSource()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<1_000 { source.value.add(1) } } }
        }
        #expect(source.value.count == 8_000)
    }
}
