import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Events that no reducer, feedback or middleware takes.
@Suite struct UnhandledEventTests {
    struct Whole: Sendable, Equatable {
        var (left, right) = (0, 0)
        var rows: [Int] = [0]
    }

    enum Event: Sendable, Equatable { case left(Int), right(Int), row(Int, Int), other }

    private static let adding = Reducer<Int, Int> { $0 += $1 }
    private static let left = Scope<Whole, Event, Int, Int>(
        state: \.left, event: CasePath(embed: Event.left) { if case .left(let add) = $0 { add } else { nil } }
    )
    private static let right = Scope<Whole, Event, Int, Int>(
        state: \.right,
        event: CasePath(embed: Event.right) { if case .right(let add) = $0 { add } else { nil } })
    private static let rows = Elements<Whole, Event, Int, Int, Int>(
        indexedIn: \.rows,
        event: CasePath(embed: { .row($0.0, $0.1) }) {
            if case .row(let index, let add) = $0 { (index, add) } else { nil }
        })

    private func outcome(
        of event: Event, _ reducer: Reducer<Whole, Event>, feedbacks: [Feedback<Whole, Event>] = [],
        middleware: Middleware<Whole, Event> = .identity, policy: EventPolicy = .queue
    ) -> [String] {
        let outcomes = Log<String>()
        let system = System(
            initialState: Whole(), scheduler: .immediate, reducer: reducer, feedbacks: feedbacks,
            middleware: middleware, configuration: .init(eventPolicy: { $0 == event ? .queue : policy }))
        system.onLoop {
            outcomes.add($0.isUnhandled ? "unhandled \(describe($0.outcome))" : describe($0.outcome))
        }
        system.sendEvent(event)
        return outcomes.entries
    }

    private static let lifted = adding.lifted(by: left) <> adding.lifted(byEach: rows)

    @Test(
        "an event for which no reducer was lifted is unhandled",
        arguments: [
            (Event.left(1), "settled"), (.row(0, 1), "settled"), (.row(5, 1), "missed"),
            (.right(1), "unhandled settled"), (.other, "unhandled settled"),
        ])
    func lifted(_ event: Event, _ outcome: String) {
        #expect(self.outcome(of: event, Self.lifted) == [outcome])
    }

    @Test("a reducer that was not lifted takes every event")
    func plain() {
        let plain = Reducer<Whole, Event> { _, _ in }
        #expect(outcome(of: .other, Self.lifted <> plain) == ["settled"])
        #expect(outcome(of: .other, plain <> Self.lifted) == ["settled"])
        #expect(outcome(of: .other, Reducer<Whole, Event> { state, _ in .value(state) }) == ["settled"])
    }

    @Test("an asynchronous reducer of a part, too")
    func asynchronous() {
        let adding = Reducer<Int, Int> { state, add in .value(state + add) }
        #expect(outcome(of: .left(1), adding.lifted(by: Self.left)) == ["settled"])
        #expect(outcome(of: .right(1), adding.lifted(by: Self.left)) == ["unhandled settled"])
    }

    @Test("a feedback that answers the event takes it, one that does not does not")
    func feedback() {
        let answering = Feedback<Whole, Event>.onEvent({ $0 == .other ? true : nil }) { _ in
            Effect<Event>.none
        }
        #expect(outcome(of: .other, Self.lifted, feedbacks: [answering]) == ["settled"])
        #expect(outcome(of: .right(1), Self.lifted, feedbacks: [answering]) == ["unhandled settled"])
        let lifted = Feedback<Int, Int>.onEvent({ $0 }) { _ in Effect<Int>.none }.lifted(by: Self.right)
        #expect(outcome(of: .right(1), Self.lifted, feedbacks: [answering, lifted]) == ["settled"])
        // The feedback that answers is not the last one.
        #expect(outcome(of: .right(1), Self.lifted, feedbacks: [lifted, answering]) == ["settled"])
        #expect(outcome(of: .other, Self.lifted, feedbacks: [lifted]) == ["unhandled settled"])
    }

    @Test("a feedback takes a payload that it skips as repeated")
    func repeated() {
        let skipping = Feedback<Int, Int>.extractingSkippingRepeated {
            $0
        } effects: { _ in
            Effect<Int>.none
        }
        for (lifted, event) in [
            (skipping.lifted(by: Self.right), Event.right(1)),
            (skipping.lifted(byEach: Self.rows), .row(0, 1)),
        ] {
            let outcomes = Log<String>()
            let system = System(
                initialState: Whole(), scheduler: .immediate, reducer: Self.adding.lifted(by: Self.left),
                feedbacks: [lifted])
            system.onLoop { outcomes.add($0.isUnhandled ? "unhandled" : "taken") }
            for event in [.other, event, event, .other] { system.sendEvent(event) }
            #expect(outcomes.entries == ["unhandled", "taken", "taken", "unhandled"])
        }
    }

    // MARK: Reports

    enum Mistake: CaseIterable {
        case notLifted, neverExtracted, embeddedOtherwise, notLiftedAsynchronous

        var firstNumber: Int {
            switch self {
            case .notLifted: 481_000
            case .neverExtracted: 482_000
            case .embeddedOtherwise: 483_000
            case .notLiftedAsynchronous: 484_000
            }
        }

        /// A reducer for which nothing takes `right`.
        var reducer: Reducer<Whole, Event> {
            let adding = UnhandledEventTests.adding
            let (lifted, promising) = (adding.lifted(by: left), Reducer<Int, Int> { .value($0 + $1) })
            return switch self {
            case .notLifted: lifted
            case .neverExtracted:
                lifted
                    <> adding.lifted(
                        by: Scope(state: \.right, event: CasePath(embed: Event.right) { _ in nil }))
            case .embeddedOtherwise:
                lifted
                    <> adding.lifted(
                        by: Scope(state: \.right, event: CasePath(embed: Event.right, extract: left.extract)))
            case .notLiftedAsynchronous: promising.lifted(by: left)
            }
        }
    }

    @Test(
        "a debug build reports an event whose child is not lifted, or whose case path does not extract it",
        arguments: Mistake.allCases)
    func reported(mistake: Mistake) {
        Reports.begin()
        let system = System(
            initialState: Whole(), scheduler: .immediate, reducer: mistake.reducer,
            feedbacks: [
                Feedback<Int, Int>.onEvent({ $0 }) { _ in Effect<Int>.none }.lifted(by: Self.left)
            ])
        // Reports are found by their numbers, as others are made at the same time.
        let number = mistake.firstNumber
        system.sendEvent(.right(number))
        system.scoped(by: Self.right).sendEvent(number + 1)
        system.sendEvent(.left(number + 2))
        let reports = ["right(\(number))", "right(\(number + 1))", "left(\(number + 2))"].map { event in
            Reports.about(event).map { "\($0.problem)" }
        }
        #expect(
            reports == [
                ["unhandledEvent(event: \"right(\(number))\")"],
                ["unhandledEvent(event: \"right(\(number + 1))\")"], [],
            ])
        #expect(system.state.left == number + 2)
    }

    @Test("middleware takes an event by stopping it, replacing it or sending another one")
    func middleware() {
        let passing = Middleware<Whole, Event>(before: { _, _ in .pass }, after: { _, _ in })
        #expect(outcome(of: .other, Self.lifted, middleware: passing) == ["unhandled settled"])
        let stopping = Middleware<Whole, Event>(before: { _, _ in .stop })
        #expect(outcome(of: .other, Self.lifted, middleware: stopping) == ["stopped"])
        let replacing = Middleware<Whole, Event>(before: { _, _ in .replace(.right(1)) })
        #expect(outcome(of: .other, Self.lifted, middleware: replacing) == ["settled"])
        let routing = Middleware<Whole, Event>.route({ $0 == .other ? 3 : nil }, to: { .left($0) })
        #expect(outcome(of: .other, Self.lifted, middleware: routing) == ["settled", "settled"])
        // Sent with another policy, too.
        for policy in [EventPolicy.dropWhileBusy, .replace, .debounce(.seconds(9), key: "late")] {
            let outcomes = outcome(of: .other, Self.lifted, middleware: routing, policy: policy)
            #expect(!outcomes.contains { $0.hasPrefix("unhandled") })
        }
        let sendingAfter = Middleware<Whole, Event>(after: { event, system in
            if event == .other { system.sendEvent(.left(1)) }
        })
        #expect(outcome(of: .other, Self.lifted, middleware: sendingAfter) == ["settled", "settled"])
    }
}
