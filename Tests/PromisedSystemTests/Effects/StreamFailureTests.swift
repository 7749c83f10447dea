import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// Feedbacks whose work fails, and what they do with the next event.
@Suite struct StreamFailureTests {
    private typealias Turns = AsyncStream<EventWithState<[String], String>>
    private typealias Feature = Feedback<[String], String>

    private let scheduler = TestScheduler()
    private let errors = Log<String>()
    private let starts = Box(0)

    private func system(_ feedback: Feature) -> System<[String], String> {
        let system = System<[String], String>(
            initialState: [], scheduler: scheduler, reducer: Reducer { $0.append($1) }, feedbacks: [feedback])
        system.onError { [errors] error in errors.add("\(error)") }
        scheduler.advance()
        return system
    }

    /// Answers events of one letter, and fails for "x".
    private func answering() -> Feature {
        Feedback(events: { [starts] turns in
            starts.value += 1
            return Effect.values(
                turns.filter { $0.event.count == 1 }.map { turn in
                    if turn.event == "x" { throw TestError("x") }
                    return "answer \(turn.event)"
                })
        })
    }

    @Test(
        "FS-22: a feedback of a stream goes on after its work has failed, with the first event that was not read",
        arguments: [["x", "a"], ["a", "x", "b"], ["x", "x", "a"], ["a", "x", "x", "b", "x", "c"]],
        [true, false])
    func goesOn(events: [String], isBurst: Bool) {
        let system = system(answering())
        for event in events {
            system.sendEvent(event)
            if !isBurst { scheduler.advance() }
        }
        scheduler.advance()
        #expect(system.state.filter { $0.count > 1 } == events.filter { $0 != "x" }.map { "answer \($0)" })
        #expect(errors.entries == events.filter { $0 == "x" })
        // The last start waits for the next event.
        #expect(starts.value <= 1 + errors.count)
    }

    @Test("FS-22: work that always fails is started once for an event at most", arguments: [true, false])
    func alwaysFailing(isBurst: Bool) {
        let system = system(
            Feedback(events: { [starts] (_: Turns) in
                starts.value += 1
                return Promise<String>(error: TestError("\(starts.value)"))
            }))
        #expect(starts.value == 1)
        for number in 1...20 {
            system.sendEvent("\(number)")
            if !isBurst {
                scheduler.advance()
                #expect(starts.value == 1 + number)
            }
        }
        scheduler.advance()
        #expect(starts.value <= 21 && errors.count == starts.value)
    }

    @Test("FS-22: work that has failed is not started again after the end of its system") func ended() {
        let system = system(answering())
        system.sendEvent("x")
        system.sendEvent("a")
        system.stop()
        scheduler.advance()
        #expect(starts.value <= 1)
        #expect(system.state.allSatisfy { $0.count == 1 })
    }

    @Test(
        "FS-22: after a failure, a feedback of events or states starts its work for the next one",
        arguments: [
            "onEvent", "extracting", "withLatest", "merging", "everyValue", "latest", "react", "updates",
        ])
    func others(form: String) {
        let work = { @Sendable (number: Int) -> Effect<String> in
            number == 1 ? .fireAndForget { throw TestError("x") } : .just("answer \(number)")
        }
        let number = { @Sendable (event: String) in Int(event) }
        let last = { @Sendable (state: [String]) in state.last.flatMap { Int($0) } }
        let wanted = { @Sendable (state: [String]) in
            state.compactMap { Int($0) }.last.map { ["key": $0] } ?? [:]
        }
        let feedback: Feature =
            switch form {
            case "onEvent": .onEvent(number, effects: work)
            case "extracting": .extracting(payload: number, effects: work)
            case "withLatest": .withLatest(events: number, effects: work)
            case "merging": .merging(events: number, effects: work)
            case "everyValue": .everyValue(state: last, effects: work)
            case "latest": .latest(state: last, effects: work)
            case "react": .react(requests: wanted) { work($1) }
            default: .react(requests: wanted) { _, first, _ in work(first) }
            }
        let system = system(feedback)
        for event in ["1", "2"] {
            system.sendEvent(event)
            scheduler.advance()
        }
        #expect(errors.entries == ["x"])
        #expect(system.state == ["1", "2", "answer 2"])
    }
}
