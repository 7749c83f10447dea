import Observation
import PromisedModels
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct TrackedReaderTests {
    /// Reads under observation, and returns how often it was notified.
    private func tracking<Value>(_ read: () -> Value) -> Box<Int> {
        let count = Box(0)
        _ = withObservationTracking(read) { count.change { $0 += 1 } }
        return count
    }

    @Test("OS-14: each reader is notified of one change, and of another one when it has read again")
    func cycles() {
        let fixture = Fixture<Counter>(.init())
        let (first, second) = (tracking { fixture.model.count }, tracking { fixture.model.count })
        for count in 1...2 { fixture.after { $0.state.count = count } }
        #expect([first.value, second.value] == [1, 1])
        for count in 3...5 {
            let again = tracking { fixture.model.count }
            fixture.after { $0.state.other += 1 }
            fixture.after { $0.state.count = count - 1 }
            #expect(again.value == 0)
            fixture.after { $0.state.count = count }
            #expect(again.value == 1)
        }
    }

    @Test(
        "OS-14: a reader is notified beside a subscriber, and after that was cancelled"
    )
    func readersAndSubscribers() {
        let fixture = Fixture<Counter>(.init())
        let values = Box<[Int]>([])
        let reader = tracking { fixture.model.count }
        let token = fixture.model.source(of: \.count).subscribe { value in values.change { $0.append(value) }
        }
        fixture.after { $0.state.count = 1 }
        #expect(reader.value == 1)
        let later = tracking { fixture.model.count }
        token.cancel()
        fixture.after { $0.state.count = 2 }
        #expect((later.value, values.value) == (1, [0, 1]))
    }

    @Test("OS-14: a change while a closure on the main actor reads is notified when that has returned")
    @MainActor
    func changeWhileReading() async {
        let model = Counter(initialState: .init())
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        withObservationTracking {
            _ = model.count
            model.increment()
        } onChange: {
            continuation.finish()
        }
        for await _ in stream {}
        #expect(model.count == 1)
    }

    /// What reads the models of a child, what reads the states of them, and what changes these.
    private typealias Child = (models: Step, states: Step, change: Step)
    private typealias Step = @Sendable (App) -> Void

    private static let children: [Child] = [
        (
            { _ = $0.rows.count }, { _ = $0[dynamicMember: \App.State.rows] },
            { $0.rows[0].counter.increment() }
        ),
        (
            { _ = $0.sheet }, { _ = $0[dynamicMember: \App.State.sheet] },
            { $0.state.sheet?.count += 1 }
        ),
    ]

    @Test(
        "OS-14, OS-17: a reader of the states of a child is notified of them, beside one of its models",
        arguments: children.indices, [true, false])
    func statesAndModels(child: Int, isModelsFirst: Bool) {
        var state = App.State.rows(1)
        state.sheet = .init()
        let fixture = Fixture<App>(state)
        let child = Self.children[child]
        let first = tracking { (isModelsFirst ? child.models : child.states)(fixture.model) }
        let second = tracking { (isModelsFirst ? child.states : child.models)(fixture.model) }
        fixture.after(child.change)
        #expect([first.value, second.value] == (isModelsFirst ? [0, 1] : [1, 0]))
    }
}
