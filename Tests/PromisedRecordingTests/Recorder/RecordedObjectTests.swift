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
                #"1 run {"key":\#(key),"path":[],"request":1,"run":1}"#, #"1 async {"by":"run 1","id":1}"#,
                #"1 call {"by":"run 1","id":2,"in":"tea","name":"find"}"#, #"1 answer {"id":2,"out":3}"#,
                #"2 write {"c":[[["price"],3]],"e":{"model":"Basket","place":"","property":"price"}}"#,
                #"2 ran {"run":1}"#, #"2 asyncEnd {"by":"run 1","id":1}"#,
            ])
        var playback = try recording.playback(of: "basket", Basket.State.self)
        try playback.seek(to: 2)
        #expect(try playback.state == .init(names: ["tea"], price: 3))
        try playback.stepBack()
        #expect(try playback.state == .init(names: ["tea"]))
    }

    @Test("The calls of actions are facts, with the reason if an action was not executed")
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
                #"0 action {"action":"turnAction","in":true,"source":"Lamp"}"#,
                #"0 action {"action":"turnAction","in":false,"problem":"its source has been released","source":"Lamp"}"#,
            ])
    }
}
