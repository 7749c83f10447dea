import PromisedModels
import PromisedSources
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// Objects that are no systems, and have facts.
@Suite(.tags(.sharedState)) struct RecordedObjectTests {
    private struct Basket: Model {
        struct State: Codable, Hashable {
            var names: [String] = []
            var price: Int?
        }

        let context: ModelContext<Basket>
        var state: ModelState<Self> { context.state }

        func add(_ name: String) { state.names.append(name) }
        func findPrice() {
            task { state.price = try await TeaShop.live().find(state.names[0]).value }
        }
    }

    private final class Lamp: StateSource {
        struct Model: Sendable { var turn: Action<Bool> }

        let state: SourceState<Model>
        init(_ log: ActionLog) { state = SourceState(log: log) }
        var initialModel: Model { Model(turn: turnAction) }
        private var turnAction: Action<Bool> { action(Lamp.turn, at: \.turn) }
        private func turn(_ isOn: Bool) {}
    }

    private let session: RecordedSession

    init() throws { session = try RecordedSession() }

    @Test("The writes of models are turns, with the place and the state, and their tasks are runs with calls")
    func models() async throws {
        let scheduler = TestScheduler()
        let store = Store<Basket>(initialState: .init(), scheduler: scheduler)
        session.recorder.record(store, as: "basket")
        scheduler.schedule {
            store.model.add("tea")
            store.model.findPrice()
        }
        scheduler.advance()
        #expect(store.model.state.price == 3)
        let recording = try await session.recording()
        #expect(try recording.problems() == [])
        #expect(recording.systems.map(\.state) == ["State"])
        let facts = try recording.factTexts()
        let key = #"{"text":"Basket, task at PromisedRecordingTests/RecordedObjectTests.swift:22"}"#
        #expect(
            facts == [
                #"1 write {"e":{"model":"Basket","place":"","property":"names"},"v":{"names":["tea"]}}"#,
                #"1 run {"by":"outside","key":\#(key),"path":[],"request":1,"run":1}"#,
                #"1 async {"by":"run 1","id":1}"#,
                #"1 call {"by":"run 1","id":2,"in":"tea","name":"find"}"#, #"1 answer {"id":2,"out":3}"#,
                #"2 write {"by":"run 1","c":[[["price"],3]],"e":{"model":"Basket","place":"","property":"price"}}"#,
                #"2 ran {"run":1}"#, #"2 asyncEnd {"by":"run 1","id":1}"#,
            ])
        var playback = try recording.playback(of: "basket", Basket.State.self)
        try playback.seek(to: 2)
        #expect(try playback.state == .init(names: ["tea"], price: 3))
        try playback.stepBack()
        #expect(try playback.state == .init(names: ["tea"]))
    }

    @Test(
        "The calls of actions are facts, with the name of their log, and the reason if an action was not executed"
    )
    func actions() async throws {
        let log = ActionLog()
        session.recorder.record(log, as: "actions")
        var lamp: Lamp? = Lamp(log)
        let model = lamp?.model
        model?.turn(true)
        lamp = nil
        model?.turn(false) { _ in true }
        let facts = try await session.facts()
        #expect(
            facts == [
                #"0 action {"action":"turnAction","in":true,"log":"actions","source":"Lamp"}"#,
                #"0 action {"action":"turnAction","in":false,"log":"actions","#
                    + #""problem":"its source has been released","source":"Lamp"}"#,
            ])
    }

    // MARK: Who, and which part

    @Test(
        "a write and an event have the task, the observer or nothing that they are from; the outside is nothing"
    )
    func causes() async throws {
        let scheduler = TestScheduler()
        let store = Store<TodoList>(initialState: .init(), scheduler: scheduler) {
            $0.record(by: session.recorder, as: "list")
        }
        scheduler.advance()
        let token = store.model.onChange(of: \.removed, initial: false) { [weak store] _ in
            store?.model.context.state.title = "gone"
        }
        scheduler.schedule { store.model.context.state.rows.append(.init(id: 7, name: "lamp")) }
        scheduler.advance(by: .milliseconds(5))
        scheduler.schedule { store.model.rows[0].send(.remove) }
        scheduler.advance(by: .milliseconds(5))
        let facts = try await session.facts().filter { $0.contains(" write ") || $0.contains(" post ") }
        let row = #""model":"TodoRow","place":"rows[0]""#
        func change(_ property: String) -> String {
            #""e":{"model":"TodoList","place":"","property":"\#(property)"}"#
        }
        #expect(
            facts == [
                #"1 write {"c":[[["rows"],0,0,[{"id":7,"name":"lamp","shuffles":0}]]],\#(change("rows"))}"#,
                #"2 write {"by":"run 3","c":[[["log"],0,0,[" 1"]]],\#(change("log"))}"#,
                #"3 write {"by":"run 4","c":[[["rows",0,"price"],4]],"e":{\#(row),"property":"price"}}"#,
                #"3 post {"by":"run 4","e":{"priced":{"_0":4}},\#(row),"to":5}"#,
                #"4 write {"by":"run 1","c":[[["total"],4]],\#(change("total"))}"#,
                #"4 post {"e":{"remove":{}},\#(row),"to":5}"#,
                #"5 write {"by":"run 1","c":[[["rows"],0,1,[]]],\#(change("rows"))}"#,
                #"6 write {"by":"run 1","c":[[["removed"],1]],\#(change("removed"))}"#,
                #"7 write {"by":"observer","c":[[["title"],"gone"]],\#(change("title"))}"#,
                #"8 write {"by":"run 3","c":[[["log"],1,0,["gone 0"]]],\#(change("log"))}"#,
            ])
        withExtendedLifetime(token) {}
    }

    @Test("each key of fetches is a system, with its requests, calls and states")
    func fetches() async throws {
        let scheduler = TestScheduler()
        let fetches = Fetches(from: RateServer(), on: scheduler, keepingUnused: .seconds(9))
        session.recorder.record(fetches, as: "rates")
        let token = fetches.source(RateKey(name: "eur")).subscribe { _ in }
        scheduler.advance(by: .seconds(1))
        token.cancel()
        scheduler.advance(by: .seconds(10))
        let recording = try await session.recording()
        #expect(try recording.problems() == [])
        #expect(recording.systems.map(\.name) == ["rates RateKey(name: \"eur\")"])
        #expect(
            try recording.factTexts() == [
                #"1 begin {"e":{"observed":{"freshFor":[0,0]}},"turn":1}"#,
                #"1 run {"key":null,"path":[],"request":1,"run":1}"#,
                #"1 timer {"after":60000000000,"by":"run 1","number":1}"#,
                #"1 call {"by":"run 1","id":1,"in":"eur","name":"rate"}"#,
                #"1 turn {"c":[[["isFetching"],true],[["observers"],1]],"o":"settled","turn":1}"#,
                #"1 answer {"id":1,"out":3}"#,
                #"1 send {"by":"run 1","e":{"fetched":{"_0":3}},"id":2}"#, #"1 ran {"run":1}"#,
                #"2 turn {"c":[[["isFetching"],false],[["value"],3]],"id":2,"o":"settled"}"#,
                #"3 begin {"e":{"unobserved":{"freshFor":[0,0],"grace":[0,0]}},"turn":3}"#,
                #"3 run {"key":null,"path":[],"request":2,"run":2}"#,
                #"3 timer {"after":0,"by":"run 2","number":1}"#, #"3 turn {"o":"settled","turn":3}"#,
                #"3 fire {"by":"run 2","number":1}"#, #"3 send {"by":"run 2","e":{"left":{}},"id":4}"#,
                #"3 ran {"run":2}"#, #"4 begin {"id":4,"turn":4}"#,
                #"4 run {"key":null,"path":[],"request":3,"run":3}"#,
                #"4 timer {"after":9000000000,"by":"run 3","number":1}"#,
                #"4 turn {"c":[[["observers"],0]],"o":"settled","turn":4}"#,
                #"4 fire {"by":"run 3","number":1}"#, #"4 send {"by":"run 3","e":{"unused":{}},"id":5}"#,
                #"4 ran {"run":3}"#, #"5 turn {"c":[[["value"]]],"id":5,"o":"settled"}"#,
            ])
        var playback = try recording.playback(of: recording.systems[0].name, RecordedFetch<Int>.self)
        try playback.seek(to: 2)
        #expect(try playback.state.value == 3)
    }

    private struct SlowKey: FetchKey {
        let rates: Lock<[String]>
        let scheduler: TestScheduler
        let limit: Duration?
        var options: FetchOptions { FetchOptions(timeLimit: limit) }

        static func == (left: SlowKey, right: SlowKey) -> Bool { true }
        func hash(into hasher: inout Hasher) {}

        func fetch(from server: RateServer) -> Promise<Int> {
            Promise.retry(attempts: 9, backoff: .constant(.seconds(1))) {
                Promise {
                    rates.withLock { $0.append("\(scheduler.now)") }
                    return try await server.rate("xau").value
                }
            }
        }
    }

    @Test(
        "fetches that are recorded wait for the network, and end at their limit, as others do; without one, run again as well",
        arguments: [.seconds(4), nil] as [Duration?])
    func offline(limit: Duration?) async throws {
        var logs: [[String]] = []
        for isRecorded in [false, true] {
            let (scheduler, log) = (TestScheduler(), Lock<[String]>([]))
            let online = System<Bool, Bool>(
                initialState: true, scheduler: .immediate, reducer: Reducer { $0 = $1 })
            let fetches = Fetches(from: RateServer(), on: scheduler, isOnline: online.settled)
            if isRecorded { session.recorder.record(fetches, as: "slow") }
            let key = SlowKey(rates: log, scheduler: scheduler, limit: limit)
            let token = fetches.source(key).subscribe { update in
                if let failure = update.failure { log.withLock { $0.append("\(failure.error)") } }
            }
            scheduler.advance(by: .milliseconds(1_500))
            online.sendEvent(false)
            scheduler.advance(by: .seconds(9))
            online.sendEvent(true)
            scheduler.advance(by: .seconds(9))
            token.cancel()
            scheduler.advance(by: .seconds(1))
            logs.append(log.withLock { $0 })
            // A time limit that waits for the network is a difference.
            if isRecorded, limit == nil {
                let recording = try await session.recording()
                let result = try recording.run(
                    RecordedFetch<Int>.self, as: recording.systems[0].name, tolerance: .strict
                ) { start in
                    Fetches(from: RateServer(), on: start.scheduler).replayed(key)
                }
                #expect(result.difference == nil, "\(result)")
            }
        }
        #expect(logs[0] == logs[1] && logs[0].count > 4, "\(logs)")
    }
}
