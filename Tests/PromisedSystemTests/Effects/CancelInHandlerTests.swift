import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// An event that a handler of a promise sends does what it does elsewhere: what it cancels is cancelled at once, although
/// the promise is being delivered.
@Suite struct CancelInHandlerTests {
    private enum End: CaseIterable { case replaced, byKey, absent, withTransition, stopped }

    private let log = Log<String>()
    private let open = Log<Resolver<String>>()

    /// Work that is called by each number, as an effect or as a transition, and cancelled in one of the ways.
    private func system(_ end: End) -> System<String, String> {
        let (log, open) = (log, open)
        @Sendable func work(_ name: String) -> Promise<String> {
            Promise { resolver in
                log.add("+\(name)")
                open.add(resolver)
                resolver.onCancel { log.add("-\(name)") }
            }
            .map { $0 }
        }
        let asksForWork: @Sendable (String) -> String? = { Int($0) == nil ? nil : $0 }
        let feedbacks: [Feedback<String, String>] =
            switch end {
            case .withTransition: []
            case .absent: [.whilePresent(state: asksForWork) { Effect.promise(work($0)) }]
            default:
                [
                    .onEvent({ $0 == "end" && end == .byKey ? $0 : nil }) { _ in
                        Effect<String>.cancel("work")
                    },
                    .onEvent(asksForWork, key: { _ in "work" }, policy: .replace) {
                        Effect.promise(work($0))
                    },
                ]
            }
        return System(
            initialState: "", scheduler: .immediate, feedbacks: feedbacks,
            configuration: .init(eventPolicy: { _ in .replace })
        ) { state, event in
            end == .withTransition && Int(event) != nil ? work(event) : .value(event)
        }
    }

    @Test(
        "what an event cancels is cancelled before the next work starts, and before the call returns",
        arguments: End.allCases, [false, true])
    private func order(end: End, isInHandler: Bool) {
        let (log, system) = (log, system(end))
        system.sendEvent("1")
        @Sendable func send() {
            switch end {
            case .stopped: system.stop()
            case .byKey, .absent: system.sendEvent("end")
            case .replaced, .withTransition: system.sendEvent("2")
            }
            log.add("sent")
        }
        if isInHandler { Promise.value(()).done(send) } else { send() }
        let next = end == .replaced || end == .withTransition ? ["+2"] : []
        #expect(log.entries == ["+1", "-1"] + next + ["sent"])
    }
}
