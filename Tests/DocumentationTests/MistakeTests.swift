import Testing

/// Mistakes in a system with four feedbacks written inline: the compiler finds each quickly.
///
/// Measured in steps of the type checker, not in seconds: the limit is far below the compiler's own, at which it gives
/// up with "unable to type-check this expression in reasonable time".
@Suite("Mistakes", .compiler, .timeLimit(.minutes(10)))
struct MistakeTests {
    struct Mistake: Sendable, CustomStringConvertible {
        let description: String
        let right: String
        let wrong: String
        var error = ""
    }

    private static let mistakes = [
        Mistake(description: "no return before the system", right: "return System(", wrong: "System("),
        Mistake(
            description: "a case that the event has not", right: ".map { .hits($0) }",
            wrong: ".map { .hit($0) }",
            error: "type 'Event' has no member 'hit'"),
        Mistake(
            description: "a promise that is not mapped to an event", right: "search(text).map { .hits($0) }",
            wrong: "search(text)", error: "'Promise<[String]>.Event' (aka 'Array<String>') be equivalent"),
        Mistake(
            description: "work that is no effect", right: "Effect { effect in effect.send(.tick) }",
            wrong: "print(\"on\")", error: "type '()' cannot conform to 'EffectSource'"),
        Mistake(
            description: "a case that is left out", right: "case .failed: break", wrong: "",
            error: "switch must be exhaustive"),
    ]

    @Test("the compiler soon finds", arguments: mistakes)
    func isFound(mistake: Mistake) async throws {
        let report = try #require(
            try await compile(
                Self.program.replacing(mistake.right, with: mistake.wrong), isRefused: true,
                in: mistake.description))
        #expect(!report.contains("reasonable time"))
        #expect(report.contains(mistake.error) || mistake.error.isEmpty)
    }

    @Test("without a mistake it compiles")
    func right() async throws {
        #expect(try await compile(Self.program, isRefused: false, in: "none") == nil)
    }

    private func compile(_ program: String, isRefused: Bool, in slot: String) async throws -> String? {
        let compiler = try Compiler.current
        let flags = ["-parse-as-library", "-Xfrontend", "-solver-scope-threshold=5000"]
        return try await compiler.check(
            [.init(name: "mistake.swift", text: program)], flags: flags, isRefused: isRefused,
            in: compiler.slot("mistake-\(slot)"))
    }

    private static let program = #"""
        import PromisedSystem

        struct State { var text = "", hits: [String] = [], isOn = false, user: String?, count = 0 }
        enum Event { case text(String), hits([String]), tick, user(String), signedIn(String), failed(String) }

        func search(_ text: String) -> Promise<[String]> { .value([text]) }
        func user(_ name: String) -> Promise<String> { .value(name) }

        func make() -> System<State, Event> {
            let scheduler = QueueScheduler.serial("search")
            return System(
                initialState: State(), scheduler: scheduler,
                reducer: Reducer { state, event in
                    switch event {
                    case .text(let text): state.text = text
                    case .hits(let hits): state.hits = hits
                    case .tick: state.count += 1
                    case .user(let name), .signedIn(let name): state.user = name
                    case .failed: break
                    }
                },
                feedbacks: [
                    .lensingSkippingRepeated(state: { $0.text }) { text in search(text).map { .hits($0) } },
                    .withLatest(events: { if case .user(let name) = $0 { name } else { nil } }) { name in
                        user(name).map { .signedIn($0) }.mapErrorRecover { .failed("\($0)") }
                    },
                    .whenBecomesTrue(state: { $0.isOn }) { _ in
                        Effect { effect in effect.send(.tick) }
                    },
                    .merging(events: { if case .tick = $0 { true } else { nil } }) { _ in
                        Promise.value(.user("Ada"))
                    },
                ])
        }
        """#
}
