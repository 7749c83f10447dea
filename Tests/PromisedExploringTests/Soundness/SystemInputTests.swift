import PromisedExploring
import PromisedSystem
import TestSupport
import Testing

/// A system whose feedback sends an event for each state of another system.
@Suite struct SystemInputTests {
    struct Session: Hashable, Sendable {
        var user = 0
        var visits = 0
    }

    enum Input: CaseIterable {
        case state, part, mapped, shown, readsVariable
        case distinct, counted, pair
        /// Whether nothing is kept between two deliveries, so that a path to a state is as good as another.
        var isComplete: Bool { [.state, .part, .mapped, .shown, .readsVariable].contains(self) }
    }

    private static func build(
        _ input: Input, _ busy: Bool = false
    ) -> @Sendable (World<Int>) -> System<Int, Int> {
        { world in
            let session = System<Session, Int>(
                initialState: Session(), scheduler: world.scheduler,
                reducer: Reducer { session, user in
                    (session.user, session.visits) = (user, (session.visits + 1) % 3)
                })
            let factor = world.variable(1)
            for user in 0...1 { world.action("user \(user)") { session.sendEvent(user) } }
            if input == .readsVariable { world.action("factor") { factor.value = 3 - factor.value } }
            let feedback: Feedback<Int, Int> =
                switch input {
                case .state: .input(session.settled, as: { $0.user * 3 + $0.visits })
                case .part: .input(session.settled.map(\.user), as: { $0 })
                case .mapped: .input(session.settled.map { $0.user * 3 + $0.visits }, as: { $0 })
                case .shown: .input(session.shown, as: { $0.state.user })
                case .readsVariable: .input(session.settled, as: { $0.user * factor.value })
                case .distinct:
                    .input(session.settled.removeDuplicates(by: { $1.visits == 1 }), as: { $0.user })
                case .counted:
                    .input(
                        session.settled.map(\.user).scan(first: { $0 }, next: { min($0 + $1, 3) }), as: { $0 }
                    )
                case .pair:
                    .input(session.settled.currentAndPrevious().map { $0.previous?.user ?? 7 }, as: { $0 })
                }
            return System<Int, Int>(
                initialState: 9, scheduler: world.scheduler, feedbacks: [feedback]
            ) { state, event in
                busy && event > 0 ? world.call("save", .value(event)) : .value(event)
            }
        }
    }

    @Test("an exploration sees what every path sees", arguments: Input.allCases, [false, true])
    func merged(_ input: Input, busy: Bool) {
        expectSame([], depth: 5, Self.build(input, busy))
        expectSame([8], depth: 3, Self.build(input, busy))
        let audited = Explorer(events: [8], build: Self.build(input, busy)).explore(depth: 4, .init(audit: 1))
        #expect(audited.counterexample == nil, "\(audited)")
    }

    @Test("it is complete, with the states of both", arguments: Input.allCases.filter(\.isComplete))
    func complete(_ input: Input) {
        let found = Explorer(events: [], build: Self.build(input)).explore(depth: 20, .init(stepLimit: 2_000))
        #expect(found.isComplete, "\(found)\n\(found.gaps) \(found.parts)")
        #expect(found.configurations <= (input == .readsVariable ? 24 : 12), "\(found)")
    }

    @Test("the source of a value that is no state of the world stays a gap")
    func outside() {
        let outside = System<Int, Int>(initialState: 0, scheduler: .immediate, reducer: Reducer { $0 = $1 })
        let found = Explorer<Int, Int>(events: [1]) { world in
            System(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 },
                feedbacks: [.input(outside.settled, as: { $0 })])
        }.explore(depth: 4)
        #expect(
            found.gaps.contains {
                if case .outside(let what) = $0 { what.hasPrefix("the work of a feedback") } else { false }
            }, "\(found.gaps)")
    }
}
