import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// The lines of effects, calls and timers.
@Suite(.tags(.sharedState)) struct RecordedWorkTests {
    private enum Step: Codable, Sendable {
        case find(String), found(Int), failed, stop
    }

    private let session: RecordedSession
    private let scheduler = TestScheduler()
    /// Answers after a second; a "lamp" with an error, "tea" with an interim value before.
    private let find = Endpoint<String, Int>("find", failing: TeaShop.SoldOut.self) { name in
        if name == "lamp" { return Promise(error: TeaShop.SoldOut()) }
        let answer = Promise.value(name.count).delay(.seconds(1))
        return name == "tea" ? answer.interim(0) : answer
    }

    init() throws { session = try RecordedSession() }

    private func system(
        on scheduler: some SerialScheduler, policy: EffectPolicy = .replace,
        _ effect: @escaping @Sendable (String) -> Effect<Step>
    ) -> System<[Int], Step> {
        System(
            initialState: [], scheduler: scheduler,
            reducer: Reducer { state, step in if case .found(let price) = step { state.append(price) } },
            feedbacks: [
                .onEvent(
                    { step -> String? in if case .find(let name) = step { name } else { nil } },
                    key: { _ in "find" }, policy: policy, effects: effect),
                .onEvent({ step -> Bool? in if case .stop = step { true } else { nil } }) { _ in
                    Effect<Step>.cancel("find")
                },
            ],
            configuration: .init().recorded(by: session.recorder, as: "shop"))
    }

    /// The facts of some events other than the turns, without the requests of runs.
    private func facts(of system: System<[Int], Step>, _ steps: Step..., seconds: Int = 0) async throws
        -> [String]
    {
        system.onError { _ in }
        for step in steps {
            scheduler.schedule { system.sendEvent(step) }
            scheduler.advance()
        }
        scheduler.advance(by: .seconds(seconds))
        defer { withExtendedLifetime(system) {} }
        return try await session.facts().filter { !$0.contains(" begin ") && !$0.contains(" turn ") }
    }

    @Test("A call has the run that it belongs to, its input, and its answers when the loop handles them")
    func call() async throws {
        let system = system(on: scheduler) { [find] name in Effect.promise(find(name).map { .found($0) }) }
        let facts = try await facts(of: system, .find("tea"), seconds: 1)
        #expect(
            facts == [
                #"1 run {"key":"find","path":[],"request":1,"run":1}"#,
                #"1 call {"by":"run 1","id":1,"in":"tea","name":"find"}"#, #"1 answer {"id":1,"interim":0}"#,
                #"2 answer {"id":1,"out":3}"#, #"2 send {"by":"run 1","e":{"found":{"_0":3}},"id":3}"#,
                #"2 ran {"run":1}"#,
            ])
    }

    @Test("An effect that fails while it is started, or in a part, has a line for it")
    func failureApart() async throws {
        let system = system(on: scheduler, policy: .concurrent) { name in
            if name == "now" { return Effect { $0.fail(TeaShop.SoldOut()) } }
            let later = Effect<Step>.promise(Promise.value(Step.stop).delay(.seconds(1)))
            return .merge(Effect { $0.fail(TeaShop.SoldOut()) }, later)
        }
        let facts = try await facts(of: system, .find("now"), .find("part"), seconds: 1)
        let failed = #"failed {"error":"sold out"}"#
        #expect(facts.filter { $0.contains("error") } == ["1 \(failed)", "2 \(failed)"])
        #expect(facts.filter { $0.contains(" ran {") }.count == 3)
    }

    @Test("A call goes on after an interim value that has no JSON")
    func interimText() async throws {
        struct Opaque: Sendable {}
        let load = Endpoint<Int, Opaque>("load") { _ in
            Promise.value(Opaque()).delay(.seconds(1)).interim(Opaque())
        }
        let system = System<Int, Int>(
            initialState: 0, scheduler: scheduler,
            configuration: .init().recorded(by: session.recorder, as: "counter")
        ) { count, number in load(number).map { _ in count + number } }
        for _ in 0..<2 {
            system.sendEvent(1)
            scheduler.run()
        }
        let summary = try await session.recording().summary()
        #expect(
            summary.contains("load reports ") && summary.contains("load answers ")
                && !summary.contains("a call"))
    }

    @Test("The error of a call is kept whole if it is of the type that the endpoint names, and else as text")
    func error() async throws {
        let system = system(on: scheduler) { [find] name in Effect.promise(find(name).map { .found($0) }) }
        let facts = try await facts(of: system, .find("lamp"))
        #expect(
            facts.dropFirst(2) == [
                #"1 answer {"error":{"text":"sold out","type":"SoldOut","v":{"description":"sold out"}},"id":1}"#,
                #"1 ran {"error":"sold out","run":1}"#,
            ])
    }

    @Test(
        "An effect that fails while it is started, or goes on, has a line for that, and no other run has the error",
        arguments: [false, true])
    func failure(goesOn: Bool) async throws {
        let system = system(on: scheduler) { name -> Effect<Step> in
            if name != "lamp" { return Effect { $0.finish() } }
            let failing = Effect<Step> { $0.fail(TeaShop.SoldOut()) }
            return goesOn ? .merge(failing, Effect { $0.onCancel {} }) : failing
        }
        let facts = try await facts(of: system, .find("lamp"), .find("mug"), seconds: 2)
        #expect(
            facts.filter { !$0.contains(" run ") }
                == [
                    goesOn ? nil : #"1 ran {"run":1}"#, #"1 failed {"error":"sold out"}"#,
                    goesOn ? #"2 cancel {"run":1}"# : nil, #"2 ran {"run":2}"#,
                ].compactMap(\.self))
    }

    @Test("The error of a run is that of none after it") func nextRun() async throws {
        let system = system(on: scheduler) { [find] name in Effect.promise(find(name).map { .found($0) }) }
        let facts = try await facts(of: system, .find("lamp"), .find("mug"), seconds: 1)
        #expect(
            facts.filter { $0.contains(" ran ") } == [
                #"1 ran {"error":"sold out","run":1}"#, #"2 ran {"run":2}"#,
            ])
    }

    @Test("Work that is replaced or cancelled ends its calls, and a late answer is none") func cancelled()
        async throws
    {
        let system = system(on: scheduler) { [find] name in Effect.promise(find(name).map { .found($0) }) }
        let facts = try await facts(of: system, .find("mug"), .find("cup"), .stop, seconds: 2)
        #expect(
            facts.filter { !$0.contains("call") && !$0.contains("run {\"key") } == [
                #"2 cancel {"run":1}"#, #"2 answer {"cancelled":true,"id":1}"#,
                #"3 ran {"run":3}"#, #"3 cancel {"run":2}"#, #"3 answer {"cancelled":true,"id":2}"#,
            ])
    }

    enum Answer: CaseIterable { case interim, value, error }

    @Test(
        "An answer that the loop has not yet handled when its call is cancelled is none",
        arguments: Answer.allCases)
    func cancelledBefore(_ kind: Answer) async throws {
        let (answer, resolver) = Promise<Int>.pending()
        let ask = Endpoint<String, Int>("ask") { _ in answer }
        let system = system(on: scheduler) { name in Effect.promise(ask(name).map { .found($0) }) }
        scheduler.schedule { system.sendEvent(.find("tea")) }
        scheduler.advance()
        scheduler.schedule {
            switch kind {
            case .interim: resolver.report(3)
            case .value: resolver.fulfill(3)
            case .error: resolver.reject(TeaShop.SoldOut())
            }
            system.sendEvent(.stop)
        }
        let facts = try await facts(of: system)
        #expect(facts.filter { $0.contains("answer") } == [#"2 answer {"cancelled":true,"id":1}"#])
    }

    @Test("A request that is delayed has a line, and its timer another one") func delayed() async throws {
        let system = system(on: scheduler, policy: .debounce(.seconds(2))) { _ in Effect.just(.failed) }
        let facts = try await facts(of: system, .find("tea"), .find("mug"), seconds: 2)
        #expect(
            facts == [
                #"1 wait {"key":"find","path":[],"request":1}"#,
                #"2 wait {"key":"find","path":[],"request":2}"#,
                #"2 fire {"by":"loop","request":2}"#, #"2 run {"key":"find","path":[],"request":2,"run":3}"#,
                #"2 send {"by":"run 3","e":{"failed":{}},"id":3}"#, #"2 ran {"run":3}"#,
            ])
    }

    @Test("A call belongs to its run, whose number is not that of its request") func callOfLaterRun()
        async throws
    {
        let system = system(on: scheduler, policy: .debounce(.seconds(2))) { [find] name in
            Effect.promise(find(name).map { .found($0) })
        }
        let facts = try await facts(of: system, .find("cup"), .find("mug"), seconds: 4)
        #expect(
            facts.filter { $0.contains("\"run\":") || $0.contains("call") } == [
                #"2 run {"key":"find","path":[],"request":2,"run":3}"#,
                #"2 call {"by":"run 3","id":1,"in":"mug","name":"find"}"#, #"2 ran {"run":3}"#,
            ])
    }

    @Test("Timers and async work that are no endpoint's are lines of the work that has started them")
    func besideTheSeam() async throws {
        let system = system(on: scheduler) { name in
            Effect.promise(Promise<Int> { name.count }.delay(.seconds(1)).map { .found($0) })
        }
        let facts = try await facts(of: system, .find("tea"), seconds: 1)
        #expect(
            facts.dropFirst().dropLast(2) == [
                #"1 async {"by":"run 1","id":1}"#,
                #"1 timer {"after":1000000000,"by":"run 1","number":1}"#,
                #"1 asyncEnd {"by":"run 1","id":1}"#, #"1 fire {"by":"run 1","number":1}"#,
            ])
    }

    enum Place: CaseIterable { case virtual, queue, immediate }

    @Test(
        "The async work of an endpoint is its own matter, and a call of async work belongs to its run",
        arguments: Place.allCases)
    func asyncWork(place: Place) async throws {
        let shop = TeaShop.live()
        let effect: @Sendable (String) -> Effect<Step> = { name in
            Effect.task { .found(try await shop.find(name).value + shop.stock().value.count) }
        }
        let system =
            switch place {
            case .virtual: system(on: scheduler, effect)
            case .queue: system(on: .serial("shop"), effect)
            case .immediate: system(on: .immediate, effect)
            }
        system.sendEvent(.find("tea"))
        scheduler.advance()
        _ = await system.settled.values.first { $0 == [5] }
        let calls = try await session.facts().filter { $0.contains("call") || $0.contains("answer") }
        #expect(
            calls.map { $0.drop { $0 != " " } } == [
                #" call {"by":"run 1","id":2,"in":"tea","name":"find"}"#, #" answer {"id":2,"out":3}"#,
                #" call {"by":"run 1","id":3,"in":null,"name":"stock"}"#,
                #" answer {"id":3,"out":["mug","tea"]}"#,
            ])
    }
}
