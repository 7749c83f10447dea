import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// What reaches the work of several elements reaches it in the order of their requests, not in that in which the elements
/// first had work.
@Suite(.tags(.sharedState)) struct ElementOrderTests {
    private enum Event: Sendable, Equatable {
        case save(String)
        case flush, cancel
        case saved(String)
    }

    private let scheduler = TestScheduler()

    /// - Returns: What has happened to the work of the rows, after the events.
    private func log(_ policy: EffectPolicy, _ events: Event...) -> [String] {
        let lines = Lock<[String]>([])
        let rows = Elements(
            keyedIn: \[String: String].self,
            event: CasePath<Event, (String, String)>(
                embed: { .saved($0.1) },
                extract: { if case .save(let name) = $0 { (name, name) } else { nil } }))
        let save = Feedback<String, String>.onEvent({ $0 }, key: { _ in "save" }, policy: policy) { name in
            Effect { effect in
                lines.withLock { $0.append("start \(name)") }
                effect.onCancel { lines.withLock { $0.append("cancel \(name)") } }
                if policy != .queue { effect.finish() }
            }
        }
        let commands: [Feedback<[String: String], Event>] = [
            .onEvent({ $0 == .flush ? true : nil }) { _ in Effect<Event>.flush("save") },
            .onEvent({ $0 == .cancel ? true : nil }) { _ in Effect<Event>.cancel("save") },
        ]
        let system = System(
            initialState: ["a": "", "b": "", "c": ""], scheduler: scheduler, reducer: .identity,
            feedbacks: [save.lifted(byEach: rows)] + commands)
        scheduler.runAsCurrent { for event in events { system.sendEvent(event) } }
        return withExtendedLifetime(system) { lines.withLock { $0 } }
    }

    @Test("a flush starts delayed requests in the order in which they were made")
    func flush() {
        #expect(
            log(
                .debounce(.seconds(1)), .save("c"), .save("b"), .flush, .save("a"), .save("b"), .save("c"),
                .flush)
                == ["start c", "start b", "start a", "start b", "start c"])
    }

    @Test("a cancellation ends all work, and then starts nothing that was requested before it")
    func cancel() {
        #expect(
            log(.queue, .save("b"), .save("a"), .save("b"), .save("a"), .cancel, .save("c")) == [
                "start b", "start a", "cancel b", "cancel a", "start c",
            ])
    }
}
