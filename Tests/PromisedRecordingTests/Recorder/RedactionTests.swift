import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// What a recorder leaves out: the bytes of a secret are nowhere in the file.
@Suite(.tags(.sharedState)) struct RedactionTests {
    private static let secret = "hunter2"

    private struct Account: Codable, Sendable {
        var name = "Ann", token: String? = nil, visits = 3, tags: [String: Int] = [:]
    }
    private enum Step: Codable, Sendable {
        case logIn(String), loggedIn(Account?), fail(String), wait(String), search(String)
    }
    private struct Refused: Error, Codable { var reason: String }
    /// Not `Codable`.
    private struct Session: Sendable { var token: String }

    private let scheduler = TestScheduler()

    /// A program in which the secret is in facts of all kinds.
    private func run(_ redaction: Redaction) async throws -> (text: String, recording: Recording) {
        let session = try RecordedSession(redaction: redaction)
        let logIn = Endpoint<(String, Session), [Account]>("logIn", failing: Refused.self) { password, _ in
            password == "wrong" + Self.secret
                ? Promise(error: Refused(reason: Self.secret))
                : Promise.value([Account(token: password, tags: [Self.secret: 1])]).interim([
                    Account(token: password)
                ])
        }
        let system = System<Account, Step>(
            initialState: Account(token: "first" + Self.secret), scheduler: scheduler,
            feedbacks: [
                .onEvent(
                    { step -> String? in if case .logIn(let password) = step { password } else { nil } },
                    key: { "\($0)" }, policy: .debounce(.seconds(1))
                ) { password in
                    Effect.promise(logIn(password, Session(token: password)).map { .loggedIn($0.first) })
                }
            ],
            configuration: .init(
                eventPolicy: { step in
                    if case .search(let text) = step {
                        .debounce(.seconds(1), key: EffectKey(text))
                    } else {
                        .queue
                    }
                }
            ).recorded(by: session.recorder, as: "account")
        ) { state, step in
            var next = state
            switch step {
            case .fail(let reason): return Promise(error: Refused(reason: reason))
            case .loggedIn(let account): next = account ?? next
            case .wait(let token):
                next.token = token
                return Promise.value(state).delay(.seconds(1)).interim(next)
            case .logIn, .search: break
            }
            return .value(next)
        }
        system.onError { _ in }
        for step in [
            Step.logIn(Self.secret), .logIn("wrong" + Self.secret), .fail(Self.secret), .wait(Self.secret),
            .search(Self.secret), .search(Self.secret),
        ] {
            scheduler.schedule { system.sendEvent(step) }
            scheduler.advance()
        }
        scheduler.advance(by: .seconds(5))
        await session.recorder.finish()
        withExtendedLifetime(system) {}
        return (session.text, try session.openRecording())
    }

    private static let changes = Redaction()
        .replacing(\Account.token, by: "•").replacing(\Account.tags, by: [:])
        .replacing(\Refused.reason, by: "•").replacing(\Session.token, by: "•")
        .hiding { (text: inout String) in text = "•" }
        .hiding { (key: inout EffectKey) in key = "•" }
        .hiding { (step: inout Step) in
            switch step {
            case .logIn: step = .logIn("•")
            case .loggedIn(let account):
                step = .loggedIn(account.map { Account(name: $0.name, token: "•", visits: $0.visits) })
            case .fail: step = .fail("•")
            case .wait: step = .wait("•")
            case .search: step = .search("•")
            }
        }

    @Test("Without a redaction, the secret is in facts of each kind that has values") func control()
        async throws
    {
        let (text, _) = try await run(Redaction())
        let kinds = ["system", "send", "begin", "shown", "turn", "wait", "run", "call", "answer", "fire"]
        for kind in kinds {
            let lines = text.split(separator: "\n").filter { $0.contains(#""k":"\#(kind)""#) }
            #expect(lines.contains { $0.contains(Self.secret) }, "\(kind)")
        }
    }

    @Test("Changes by type and by key path are applied before anything is written") func changes()
        async throws
    {
        let (text, recording) = try await run(Self.changes)
        #expect(!text.contains(Self.secret))
        #expect(try recording.problems() == [])
        var playback = try recording.playback(of: "account", Account.self)
        #expect(try playback.state.token == "•" && playback.state.name == "Ann")
        try playback.seek(to: recording.turns.upperBound)
        #expect(try playback.state.visits == 3)
        #expect(recording.systems[0].canBeRunAgain)
    }

    @Test(
        "A change applies to elements of optionals, arrays, dictionaries and tuples, and of these in each other"
    )
    func containers() {
        let account = Account(token: Self.secret)
        let values: [Any] = [
            account, Optional(account) as Any, [account], [[account]], ["a": account],
            ["a": [account as Account?]],
            (1, account), (1, [account]), ([1: account], 1),
        ]
        let redaction = Redaction().replacing(\Account.token, by: "•").replacing(\Account.visits, by: 7)
        for value in values {
            let text = redaction.code(value).json?.text ?? ""
            #expect(text.contains(#""token":"•","visits":7"#) && !text.contains(Self.secret), "\(value)")
        }
    }

    @Test("All texts are masked in keys that are no texts themselves, too") func keys() {
        struct Search: Hashable, Sendable { var text: String }
        let redaction = Redaction.allTexts()
        #expect(redaction.json(of: EffectKey(Self.secret)) == "•")
        #expect(redaction.json(of: EffectKey(Search(text: Self.secret))) == .object(["text": "•"]))
        #expect(redaction.json(of: EffectKey(7)) == 7)
        #expect(Redaction().json(of: EffectKey(Search(text: "a")))["text"]?.string?.contains("a") == true)
    }

    @Test("All texts are masked, keys of dictionaries too, except at some places in states") func texts()
        async throws
    {
        let (text, recording) = try await run(.allTexts(except: ["account.name"]))
        #expect(!text.contains(Self.secret))
        #expect(text.contains(#""v":{"name":"Ann","tags":{},"token":"•","visits":3}"#))
        #expect(text.contains(#""tags":{"•0":1}"#))
        #expect(!recording.systems[0].canBePlayedBack)
        #expect(try recording.problems() == [])
    }
}
